import type { Settings } from '@ovn-steward/shared/settings/settings';
import { scheduleBackups } from '@ovn-steward/backup/schedule-backups';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';

export type BackupEvent =
  | { readonly type: 'backup-taken'; readonly path: string; readonly removed: number }
  /** When the newest verified one in the folder was taken. */
  | { readonly type: 'backup-newest'; readonly takenAt: Date }
  | { readonly type: 'backup-failed'; readonly error: string };

/**
 * Takes the backups that the settings require, beside everything else.
 * @returns a function that ends it, once a backup in progress is finished or given up.
 */
export function backups(
  { cluster, backup: { folder, every, keep } }: Pick<Settings, 'cluster' | 'backup'>,
  northbound: Northbound,
  onEvent: (event: BackupEvent) => void,
): () => Promise<void> {
  if (folder === undefined) return () => Promise.resolve();
  const stop = new AbortController();
  const ended = scheduleBackups({
    northbound,
    cluster,
    folder,
    everyMs: every,
    keep,
    signal: stop.signal,
    onBackup: ({ path }, removed) =>
      onEvent({ type: 'backup-taken', path, removed: removed.length }),
    onNewest: (takenAt) => onEvent({ type: 'backup-newest', takenAt }),
    onFailure: ({ message }) => onEvent({ type: 'backup-failed', error: message }),
  });
  return () => {
    stop.abort();
    return ended;
  };
}
