import type { Command } from 'commander';
import { Option } from 'commander';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { addressLedger } from '@ovn-steward/judgement/health/address-ledger';
import { Failure } from '@ovn-steward/shared/errors';
import { nearest } from '@ovn-steward/shared/nearest';
import { safeText } from '@ovn-steward/shared/safe-text';
import { EXIT } from '../process/exit-codes';
import { withChannel } from '../inputs/decisions';
import { withInputs } from '../inputs/options';
import { printPaged, withPager } from '../output/paged';
import { printDoubt } from '../output/print-doubt';
import { type Ledger, ledgerTable } from '../subnets/ledger-table';
import { type OutlookReports, outlookReports } from '../subnets/outlook-reports';
import { outlookTable } from '../subnets/outlook-table';
import { subnetsTable } from '../subnets/subnets-table';
import type { SubnetReport } from '../subnets/subnet-reports';
import { subnetReports } from '../subnets/subnet-reports';
import { subnetVerdict } from '../subnets/subnet-verdict';
import { knownCluster, type KnownClusterOptions } from './known-cluster';
import { secondsOf } from '../inputs/seconds';

interface SubnetsOptions extends KnownClusterOptions {
  readonly addresses?: true;
  readonly output: 'table' | 'json';
  readonly pager?: boolean;
}

/** `steward subnets`: one line per subnet, from one read or from what a pipeline knows; nothing is written. */
export function subnetsCommand(program: Command, done: (code: number) => void): void {
  withPager(
    withInputs(
      withChannel(
        program
          .command('subnets [name...]')
          .description(
            'show the health of subnets: conditions, namespaces, counted and really held addresses, and when they will be full',
          ),
      ),
    ),
  )
    .addOption(
      new Option('-o, --output <form>', 'how to report')
        .choices(['table', 'json'])
        .default('table'),
    )
    .option('--addresses', 'list each held address of the subnets, with all that record it')
    .option('--timeout <seconds>', 'how long to wait for live sources', secondsOf, 120)
    .action(async (names: readonly string[], options: SubnetsOptions) => {
      const { engine, cluster, doubt } = await knownCluster(options);
      const known = engine.world.knows('Subnet');
      const subnets = chosen(subnetReports(engine), names);
      const outlooks = outlookReports(engine);
      const ledgers = options.addresses === true ? ledgersOf(engine, subnets) : undefined;
      const document = {
        version: 1,
        cluster,
        asOf: engine.now,
        complete: known,
        subnets,
        ...outlooks,
        ...(ledgers && { ledgers }),
      };
      const text = ledgers ? ledgerTable(ledgers) : tables(subnets, names, outlooks);
      if (options.output === 'json') process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
      else printPaged(text, options);
      printDoubt(doubt);
      if (!known) process.stderr.write('Not every Subnet is known: there may be others.\n');
      const verdicts = new Set(subnets.map(subnetVerdict));
      done(
        verdicts.has('wrong')
          ? EXIT.findings
          : known && doubt === undefined && !verdicts.has('unknown')
            ? EXIT.nothingFound
            : EXIT.couldNotKnow,
      );
    });
}

/** With the sums below, where nothing was chosen. */
const tables = (
  subnets: readonly SubnetReport[],
  names: readonly string[],
  outlooks: OutlookReports,
): string =>
  names.length > 0 || subnets.length === 0
    ? subnetsTable(subnets)
    : `${subnetsTable(subnets)}\n${outlookTable(outlooks)}`;

const ledgersOf = (engine: Engine, subnets: readonly SubnetReport[]): readonly Ledger[] =>
  subnets.map(({ name }) => ({
    subnet: name,
    addresses: addressLedger(engine.world, name) ?? null,
  }));

/** @throws Failure `config-invalid` for a subnet there is not. */
function chosen(all: readonly SubnetReport[], names: readonly string[]): readonly SubnetReport[] {
  for (const name of names) {
    if (all.some((it) => it.name === name)) continue;
    const meant = nearest(
      name,
      all.map((it) => it.name),
    );
    throw new Failure(
      'config-invalid',
      `There is no Subnet ${JSON.stringify(safeText(name))}${meant === undefined ? '; steward subnets lists those there are' : `; did you mean ${safeText(meant)}?`}`,
    );
  }
  return names.length === 0 ? all : all.filter((it) => names.includes(it.name));
}
