import { dirname } from 'node:path';
import type { Command } from 'commander';
import {
  applyRestore,
  isEmpty,
  type Restored,
  type RestoreView,
  selectedRows,
  viewRestore,
} from '@ovn-steward/backup/restore';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import { EXIT } from '../process/exit-codes';
import { northboundOf, type NorthboundOptions, withNorthbound } from '../inputs/northbound';
import { settingsFrom } from '../inputs/settings';
import { restoreJson, restoreText } from '../output/restore-text';
import { secondsOption } from '../inputs/seconds';
import { reportOption } from '../inputs/report-option';

/**
 * Two snapshots, taking over and writing: so many questions to the server, each of which may take
 * its time.
 */
const CALLS = 12;

interface RestoreOptions extends NorthboundOptions {
  readonly owner?: readonly string[];
  readonly table?: readonly string[];
  readonly removeNew?: boolean;
  readonly otherCluster?: boolean;
  readonly yes?: boolean;
  readonly dir?: string;
  readonly timeout: number;
  readonly output: 'text' | 'json';
}

/**
 * `steward restore`: shows how a backup and the living Northbound differ; with `--yes` puts back
 * what was, in one guarded transaction.
 */
export function restoreCommand(program: Command, done: (code: number) => void): void {
  withNorthbound(
    program
      .command('restore')
      .argument(
        '<file>',
        'a backup of steward backup, of ovsdb-client backup, or a database file; or findings of damage as JSON',
      )
      .description(
        'show how a backup and the live Northbound differ, and restore rows; writes only with --yes',
      ),
  )
    .option(
      '--owner <names...>',
      'only rows of these owners, such as kube-ovn or neutron, and what they hold',
    )
    .option(
      '--table <names...>',
      'only rows of these tables, and what they hold; Connection and SSL only when named here',
    )
    .option('--remove-new', 'also remove rows that the backup does not have')
    .option('--other-cluster', 'even if the backup is of another database')
    .option(
      '--dir <folder>',
      'the folder for the backup that is taken before anything is written; by default the setting backup.folder, or the folder of the file',
    )
    .option('--yes', 'write it')
    .addOption(secondsOption('--timeout <duration>', 'how long to wait for the database', 60))
    .addOption(reportOption())
    .action(async (file: string, options: RestoreOptions) => done(await restored(file, options)));
}

/** @returns the exit code. */
async function restored(file: string, options: RestoreOptions): Promise<number> {
  const { config } = settingsFrom(options, { 'backup.folder': options.dir });
  const northbound = northboundOf(options, config, options.timeout * 1000);
  const signal = timeLimit(CALLS * options.timeout * 1000);
  const on = { cluster: config.cluster, northbound, signal };
  try {
    const view = await viewRestore({
      ...on,
      file,
      selection: {
        owners: options.owner && new Set(options.owner),
        tables: options.table && new Set(options.table),
        removeNew: options.removeNew === true,
      },
      otherCluster: options.otherCluster === true,
    });
    if (options.output === 'text') process.stdout.write(restoreText(view));
    if (options.yes !== true || isEmpty(view.plan)) return unwritten(view, options);
    const { backup, ...seen } = await applyRestore(view, {
      ...on,
      folder: config.backup.folder ?? dirname(file),
      at: new Date(),
      onBackup: ({ path }) => process.stderr.write(`Taken before anything is written: ${path}\n`),
    });
    process.stdout.write(
      options.output === 'json'
        ? restoreJson(view, { backup: backup.path, ...seen })
        : writtenText(backup.path, seen),
    );
    return view.plan.leftOut.length > 0 ? EXIT.findings : EXIT.nothingFound;
  } finally {
    await northbound.close();
  }
}

function unwritten(view: RestoreView, { output, yes }: RestoreOptions): number {
  if (output === 'json') process.stdout.write(restoreJson(view, null));
  else if (yes !== true && !isEmpty(view.plan))
    process.stdout.write('Nothing was written. To write it, run the command again with --yes.\n');
  return selectedRows(view).length > 0 ? EXIT.findings : EXIT.nothingFound;
}

const writtenText = (
  backup: string,
  { moved, unread }: Pick<Restored, 'moved' | 'unread'>,
): string =>
  [
    `Restored, in one transaction. What stood before is in ${backup}`,
    ...(moved.length > 0
      ? ['Changed again by somebody since:', ...moved.slice(0, 20).map((it) => `  ${it}`)]
      : []),
    ...(unread === undefined
      ? []
      : [`Whether somebody changed it again since is not known: ${unread}`]),
    'An executor that ran was stopped from writing: restart it when you are done.',
    '',
  ].join('\n');
