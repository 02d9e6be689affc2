import type { Logger } from '@ovn-steward/service/log/logger';
import type { BackupEvent } from './backups';

/** Puts what becomes of scheduled backups into the log. Must not throw. */
export const reportBackups =
  (logger: Logger) =>
  (event: BackupEvent): void => {
    if (event.type === 'backup-taken')
      logger.info('backup taken', { path: event.path, removed: event.removed });
    else if (event.type === 'backup-failed')
      logger.warn('no backup was taken', { error: event.error });
  };
