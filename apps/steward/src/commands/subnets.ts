import type { Command } from 'commander';
import type { SubnetReport } from '@ovn-steward/analyzer';
import { EXIT } from '../process/exit-codes';
import { withChannel, withServer } from '../inputs/decisions';
import { withInputs } from '../inputs/options';
import { secondsOf } from '../inputs/seconds';
import { type Cells, tableMarkdown, tableText } from '../output/columns';
import { isForPeople, type ListForm, outputOption } from '../inputs/list-form';
import { listText } from '../output/list-forms';
import { printPaged, withPager } from '../output/paged';
import { printDoubt } from '../output/print-doubt';
import { chosenSubnets, type SubnetsFilter, withSubnetsFilter } from '../subnets/chosen-subnets';
import { type Ledger, ledgerCells, ledgerTable } from '../subnets/ledger-table';
import { outlookCells, outlookTable } from '../subnets/outlook-table';
import { subnetCells, subnetsTable } from '../subnets/subnets-table';
import { subnetsSummary } from '../subnets/subnets-summary';
import { subnetVerdict } from '../subnets/subnet-verdict';
import { knownCluster, type KnownClusterOptions, type KnownSubnets } from './known-cluster';

interface SubnetsOptions extends KnownClusterOptions, SubnetsFilter {
  readonly addresses?: true;
  readonly output: ListForm;
  readonly pager?: boolean;
}

/** `steward subnets`: one line per subnet, from one read or from what a pipeline knows; nothing is written. */
export function subnetsCommand(program: Command, done: (code: number) => void): void {
  withPager(
    withSubnetsFilter(
      withInputs(
        withServer(
          withChannel(
            program
              .command('subnets [subnets...]')
              .description(
                'show the health of subnets: conditions, namespaces, counted and really held addresses, and when they will be full',
              ),
          ),
        ),
      ),
    ),
  )
    .addOption(outputOption())
    .option('--addresses', 'list each held address of the subnets, with all that record it')
    .option('--timeout <seconds>', 'how long to wait for live sources', secondsOf, 120)
    .action(async (names: readonly string[], options: SubnetsOptions) => {
      const known = await knownCluster(options);
      const all = await known.subnets();
      const { complete } = all;
      const at = Date.parse(all.asOf);
      const now = Number.isNaN(at) ? new Date() : new Date(at);
      const subnets = chosenSubnets(all.subnets, names, options, now);
      const ledgers = options.addresses && (await known.ledgers(subnets.map((it) => it.name)));
      const text = textOf(options.output, { ...all, subnets }, known.cluster, ledgers);
      if (isForPeople(options.output)) printPaged(text, options);
      else process.stdout.write(text);
      printDoubt(known.doubt);
      if (!complete) process.stderr.write('Not every Subnet is known: there may be others.\n');
      done(codeOf(subnets, complete && known.doubt === undefined));
    });
}

function textOf(
  form: ListForm,
  { asOf, complete, subnets, vpcs, total }: KnownSubnets,
  cluster: string,
  ledgers: readonly Ledger[] | undefined,
): string {
  const document = { version: 1, cluster, asOf, complete, subnets, vpcs, total };
  // The sums are of all subnets: they would mislead under a choice of a few.
  const isWhole = subnets.length === total.subnets && subnets.length > 0;
  const withSums = (table: string): string =>
    isWhole ? `${subnetsSummary(subnets)}${table}\n${outlookTable({ vpcs, total })}` : table;
  if (ledgers !== undefined) {
    const table = (): string => ledgerTable(ledgers);
    return listText(form, {
      document: { ...document, ledgers },
      items: ledgers,
      table,
      wide: table,
      markdown: () => tableMarkdown(ledgerCells(ledgers)),
    });
  }
  const wide = (): Cells => subnetCells(subnets, true);
  return listText(form, {
    document,
    items: subnets,
    table: () => withSums(subnetsTable(subnets)),
    wide: () => (subnets.length === 0 ? subnetsTable([]) : withSums(tableText(wide()))),
    markdown: () =>
      [wide(), ...(isWhole ? [outlookCells({ vpcs, total })] : [])].map(tableMarkdown).join('\n'),
  });
}

function codeOf(subnets: readonly SubnetReport[], isKnown: boolean): number {
  const verdicts = new Set(subnets.map(subnetVerdict));
  if (verdicts.has('wrong')) return EXIT.findings;
  return isKnown && !verdicts.has('unknown') ? EXIT.nothingFound : EXIT.couldNotKnow;
}
