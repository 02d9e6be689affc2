import type { Command } from 'commander';
import type { SubnetReport } from '@ovn-steward/analyzer';
import { Failure } from '@ovn-steward/shared/errors';
import { EXIT } from '../process/exit-codes';
import { withChannel, withServer } from '../inputs/decisions';
import { withInputs } from '../inputs/options';
import { secondsOption } from '../inputs/seconds';
import { type Cells, tableMarkdown, tableText } from '../output/columns';
import { type ListForm, outputOption } from '../inputs/list-form';
import { listText } from '../output/list-forms';
import { withPager } from '../output/paged';
import { chosenSubnets, type SubnetsFilter, withSubnetsFilter } from '../subnets/chosen-subnets';
import { type SubnetLedger, ledgerCells, ledgerTable } from '../subnets/ledger-table';
import { outlookCells, outlookTable } from '../subnets/outlook-table';
import { subnetCells, subnetsTable } from '../subnets/subnets-table';
import { subnetsSummary } from '../subnets/subnets-summary';
import { subnetVerdict } from '../subnets/subnet-verdict';
import { knownCluster, type KnownClusterOptions, type KnownSubnets } from './known-cluster';
import { showList, type ShownList, type WatchedListOptions, withWatch } from './show-list';
import { withOptions } from '../inputs/with-options';

interface SubnetsOptions extends KnownClusterOptions, SubnetsFilter, WatchedListOptions {
  readonly addresses?: true;
  readonly output: ListForm;
  readonly pager?: boolean;
}

/** Each reading of a folder or of Kafka judges the whole cluster. */
const WATCH_SECONDS = 10;

/**
 * `steward subnets`: one line per subnet, from one read or from what a pipeline knows; nothing is
 * written.
 */
export function subnetsCommand(program: Command, done: (code: number) => void): void {
  const command = program
    .command('subnets [subnets...]')
    .description(
      'show the health of subnets: conditions, namespaces, counted and really held addresses, and when they will be full',
    );
  withOptions(command, withChannel, withServer, withInputs, withSubnetsFilter, withPager, (it) =>
    withWatch(it, WATCH_SECONDS),
  )
    .addOption(outputOption())
    .option('--addresses', 'list each held address of the subnets, with all that record it')
    .addOption(secondsOption('--timeout <duration>', 'how long to wait for live sources', 120))
    .action(async (names: readonly string[], options: SubnetsOptions) => {
      if (options.watch) requirePipeline(options);
      done(await showList(options, () => shown(names, options)));
    });
}

/** What systems are read for is one moment; the next would cost them all again. */
function requirePipeline({ stateDir, kafkaBrokers, server }: SubnetsOptions): void {
  if ([stateDir, kafkaBrokers, server].some((it) => it !== undefined)) return;
  throw new Failure(
    'config-invalid',
    '--watch shows what a pipeline knows, and does not read the systems again and again: name the pipeline with --state-dir, --kafka-brokers or --server.',
  );
}

async function shown(names: readonly string[], options: SubnetsOptions): Promise<ShownList> {
  const known = await knownCluster(options);
  const all = await known.subnets();
  const { complete } = all;
  const at = Date.parse(all.asOf);
  const now = Number.isNaN(at) ? new Date() : new Date(at);
  const subnets = chosenSubnets(all.subnets, names, options, now);
  const ledgers = options.addresses && (await known.ledgers(subnets.map((it) => it.name)));
  return {
    text: textOf(options.output, { ...all, subnets }, known.cluster, ledgers),
    doubt: known.doubt,
    remarks: complete ? [] : ['Not every Subnet is known: there may be others.'],
    code: codeOf(subnets, complete && known.doubt === undefined),
  };
}

function textOf(
  form: ListForm,
  { asOf, complete, subnets, vpcs, total }: KnownSubnets,
  cluster: string,
  ledgers: readonly SubnetLedger[] | undefined,
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
