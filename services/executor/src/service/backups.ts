import type { Shell } from '@ovn-steward/service/service';
import { scheduleBackups } from '../backup/schedule-backups';
import type { Northbound } from '../northbound/northbound';

/** Takes the backups the settings ask for, beside everything else, until the signal fires. */
export function backups({ settings: { cluster, backup: { folder, every, keep } }, logger }: Pick<Shell, 'settings' | 'logger'>, northbound: Northbound, signal: AbortSignal): void {
  if (folder === undefined) return;
  void scheduleBackups({
    northbound, cluster, folder, everyMs: every, keep, signal,
    onBackup: (backup, removed) => logger.info('backup taken', { path: backup.path, removed: removed.length }),
    onFailure: (failure) => logger.warn('no backup was taken', { error: failure.message }),
  });
}
