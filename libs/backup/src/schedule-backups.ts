import { pause } from '@ovn-steward/shared/pause';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { takeSnapshot } from './snapshot';
import { backupsIn, removeOldBackups, removeOldBad } from './retention';
import { type Backup, type BackupOrder, takeBackup } from './take-backup';

export interface BackupSchedule {
  readonly northbound: Northbound;
  readonly cluster: string;
  readonly folder: string;
  readonly everyMs: number;
  /** How many stay, at least 1. */
  readonly keep: number;
  readonly signal: AbortSignal;
  /** `removed`: older ones that made room. */
  readonly onBackup: (backup: Backup, removed: readonly string[]) => void;
  /** When the newest backup in the folder was taken; called at the start and after each backup. */
  readonly onNewest?: (takenAt: Date) => void;
  /** What went wrong; the next attempt follows. */
  readonly onFailure: (failure: Failure) => void;
  readonly clock?: () => Date;
  /** As of `takeBackup`. */
  readonly written?: BackupOrder['written'];
  /** Rejects, or resolves at once, when the signal fires. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** After a failure the next attempt is not later than this, however long the interval is. */
const SOON_MS = 60_000;

/** What a backup needs; the rest of a schedule says when, and who hears of it. */
type OneBackup = Pick<
  BackupSchedule,
  'northbound' | 'cluster' | 'folder' | 'signal' | 'clock' | 'written'
>;

/** @throws Failure. */
async function backupOnce({
  northbound,
  cluster,
  folder,
  signal,
  clock = () => new Date(),
  written,
}: OneBackup): Promise<Backup> {
  const snapshot = await takeSnapshot(northbound, signal);
  return takeBackup({
    snapshot,
    cluster,
    at: clock(),
    to: { folder },
    ...(written && { written }),
  });
}

/** Removes the old ones that a backup makes superfluous; the backup is there also where it cannot. */
async function makeRoom(
  { path }: Backup,
  { folder, cluster, keep, onFailure }: BackupSchedule,
): Promise<readonly string[]> {
  try {
    return await removeOldBackups(folder, cluster, { keep, newest: path });
  } catch (error) {
    onFailure(
      new Failure(
        'backup-invalid',
        `${path} was taken and verified, but not all older backups could be removed: ${messageOf(error)}. Remove them yourself, or this folder fills its disk.`,
        { cause: error },
      ),
    );
    return [];
  }
}

/**
 * Takes a backup each time so long after the newest one in the folder, so that a restart neither
 * forgets one nor takes one too many. Goes on after every failure, until the signal fires; never
 * rejects.
 */
export async function scheduleBackups(schedule: BackupSchedule): Promise<void> {
  const { everyMs, signal, folder, cluster, clock = () => new Date(), sleep = pause } = schedule;
  while (!signal.aborted) {
    try {
      const now = clock().getTime();
      // One from the future, after the clock was set back, must not stop the backups.
      const newest = (await backupsIn(folder, cluster)).find((it) => it.takenAt.getTime() <= now);
      if (newest) schedule.onNewest?.(newest.takenAt);
      const since = newest ? now - newest.takenAt.getTime() : Infinity;
      if (since < everyMs) {
        await sleep(everyMs - since, signal);
        continue;
      }
      const backup = await backupOnce(schedule);
      schedule.onBackup(backup, await makeRoom(backup, schedule));
    } catch (error) {
      if (signal.aborted) return;
      schedule.onFailure(
        error instanceof Failure
          ? error
          : new Failure(
              'backup-invalid',
              `No backup was taken: ${messageOf(error)}. Check the folder ${folder}.`,
              { cause: error },
            ),
      );
      // The failure is reported; the next attempt removes what this one could not.
      await removeOldBad(folder, cluster).catch(() => undefined);
      await sleep(Math.min(everyMs, SOON_MS), signal);
    }
  }
}
