import { dirname } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { type Backup, takeBackup } from '@ovn-steward/backup/take-backup';
import { removeOldBackups } from '@ovn-steward/backup/retention';
import { scheduleBackups } from '@ovn-steward/backup/schedule-backups';
import { takeSnapshot } from '@ovn-steward/backup/snapshot';
import { Failure } from '@ovn-steward/shared/errors';
import { safeText } from '@ovn-steward/shared/safe-text';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import { EXIT } from '../process/exit-codes';
import { interrupted } from '../process/interrupted';
import { northboundOf, type NorthboundOptions, withNorthbound } from '../inputs/northbound';
import { settingsFrom } from '../inputs/settings';
import { secondsOption } from '../inputs/seconds';
import { reportOption } from '../inputs/report-option';

/** A snapshot is so many questions to the server, each of which may take its time. */
const CALLS = 4;

interface BackupOptions extends NorthboundOptions {
  readonly out?: string;
  readonly dir?: string;
  readonly keep?: string;
  readonly every?: string;
  readonly timeout: number;
  readonly output: 'text' | 'json';
}

/**
 * `steward backup`: the Northbound in a file that ovsdb-server starts from, read back and compared
 * before it counts; writes nothing to OVN.
 */
export function backupCommand(program: Command, done: (code: number) => void): void {
  withNorthbound(
    program
      .command('backup')
      .description(
        'back up the Northbound into a file, and verify it by reading it back; changes nothing in OVN',
      ),
  )
    .addOption(
      new Option('--out <file>', 'write this file, which must not exist').conflicts([
        'dir',
        'keep',
        'every',
      ]),
    )
    .option(
      '--dir <folder>',
      'write into this folder, under a name made of the cluster and the time; by default into the setting backup.folder',
    )
    .option(
      '--keep <number>',
      'keep this many verified backups of the cluster in the folder and remove older ones; without it (and without --every) none is removed',
    )
    .option(
      '--every <duration>',
      'take another each time the newest in the folder is this old (30m, 1h), until interrupted',
    )
    .addOption(secondsOption('--timeout <duration>', 'how long to wait for the database', 60))
    .addOption(reportOption())
    .action(async (options: BackupOptions) => {
      await backUp(options);
      done(EXIT.nothingFound);
    });
}

async function backUp(options: BackupOptions): Promise<void> {
  const { config } = settingsFrom(options, {
    'backup.folder': options.dir,
    'backup.keep': options.keep,
    'backup.every': options.every,
  });
  if (options.out === undefined && config.backup.folder === undefined)
    throw new Failure(
      'config-invalid',
      'No destination for the backup: give --dir a folder or --out a file, or set backup.folder.',
    );
  const northbound = northboundOf(options, config, options.timeout * 1000);
  const report: Report = (backup, removed) =>
    void process.stdout.write(
      options.output === 'json' ? json(backup, removed) : text(backup, removed),
    );
  try {
    if (options.every === undefined) await once(options, config, northbound, report);
    else await forEver(config, northbound, report);
  } finally {
    await northbound.close();
  }
}

type Northbound = ReturnType<typeof northboundOf>;
type Report = (backup: Backup, removed: readonly string[]) => void;

async function once(
  { out, keep, timeout }: BackupOptions,
  { cluster, backup: { folder = '', keep: kept } }: Settings,
  northbound: Northbound,
  report: Report,
): Promise<void> {
  const snapshot = await takeSnapshot(northbound, timeLimit(CALLS * timeout * 1000));
  const backup = await takeBackup({
    snapshot,
    cluster,
    at: new Date(),
    to: out === undefined ? { folder } : { file: out },
  });
  report(
    backup,
    keep === undefined
      ? []
      : await removeOldBackups(dirname(backup.path), cluster, { keep: kept, newest: backup.path }),
  );
}

async function forEver(
  { cluster, backup: { folder = '', keep, every } }: Settings,
  northbound: Northbound,
  report: Report,
): Promise<void> {
  const { signal, end } = interrupted();
  try {
    await scheduleBackups({
      northbound,
      cluster,
      folder,
      keep,
      everyMs: every,
      signal,
      onBackup: report,
      onFailure: (failure) =>
        process.stderr.write(`${safeText(failure.message, 1000)} The next attempt follows.\n`),
    });
  } finally {
    end();
  }
}

function text(
  { path, facts: { identity, rows, bytes, sha256, takenAt } }: Backup,
  removed: readonly string[],
): string {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return [
    `${path}: ${total} rows of ${Object.keys(rows).length} tables, ${bytes} bytes, taken at ${takenAt} of ${identity}; read back and found equal.`,
    `sha256 ${sha256}, with what it holds in ${path}.json`,
    ...(removed.length > 0 ? [`Removed, as older than those to keep: ${removed.join(', ')}`] : []),
    '',
  ].join('\n');
}

const json = ({ path, facts }: Backup, removed: readonly string[]): string =>
  `${JSON.stringify({ path, ...facts, removed })}\n`;
