import type { Command } from 'commander';
import { Option } from 'commander';
import { Failure } from '@ovn-steward/shared/errors';
import { nearest } from '@ovn-steward/shared/nearest';
import { safeText } from '@ovn-steward/shared/safe-text';
import { EXIT } from '../process/exit-codes';
import type { InputOptions } from '../inputs/options';
import { withInputs } from '../inputs/options';
import { settingsFrom } from '../inputs/settings';
import { subnetsTable } from '../subnets/subnets-table';
import type { SubnetReport } from '../subnets/subnet-reports';
import { subnetReports } from '../subnets/subnet-reports';
import { subnetVerdict } from '../subnets/subnet-verdict';
import { readCluster } from './read-cluster';
import { secondsOf } from '../inputs/seconds';

interface SubnetsOptions extends InputOptions {
  readonly output: 'table' | 'json';
  readonly timeout: number;
}

/** `steward subnets`: one read, one line per subnet; nothing is written. */
export function subnetsCommand(program: Command, done: (code: number) => void): void {
  withInputs(
    program
      .command('subnets [name...]')
      .description(
        'show the health of subnets: conditions, namespaces, counted and really held addresses, and when they will be full',
      ),
  )
    .addOption(
      new Option('-o, --output <form>', 'how to report')
        .choices(['table', 'json'])
        .default('table'),
    )
    .option('--timeout <seconds>', 'how long to wait for live sources', secondsOf, 120)
    .action(async (names: readonly string[], options: SubnetsOptions) => {
      const { config } = settingsFrom(options);
      const engine = await readCluster(options, config, options.timeout);
      const known = engine.world.knows('Subnet');
      const subnets = chosen(subnetReports(engine), names);
      const document = {
        version: 1,
        cluster: config.cluster,
        asOf: engine.now,
        complete: known,
        subnets,
      };
      process.stdout.write(
        options.output === 'json'
          ? `${JSON.stringify(document, null, 2)}\n`
          : subnetsTable(subnets),
      );
      if (!known) process.stderr.write('Not every Subnet is known: there may be others.\n');
      const verdicts = new Set(subnets.map(subnetVerdict));
      done(
        verdicts.has('wrong')
          ? EXIT.findings
          : known && !verdicts.has('unknown')
            ? EXIT.nothingFound
            : EXIT.couldNotKnow,
      );
    });
}

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
