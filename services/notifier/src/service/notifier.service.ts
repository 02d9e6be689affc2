import { Inject, Injectable } from '@nestjs/common';
import { openServiceLog, type ServiceLog } from '@ovn-steward/service/kafka/service-log';
import type { Lack } from '@ovn-steward/service/work/lack';
import {
  type Opened,
  type ServiceRuntime,
  SHELL,
  type Shell,
} from '@ovn-steward/service/work/service';
import { openStateDir } from '@ovn-steward/service/work/state-dir';
import { Failure } from '@ovn-steward/shared/errors';
import { countNotifier } from './count-notifier';
import type { NotifierStatus } from './notifier-status';
import { idleStatus, type NotifierEvent, type OpenNotifier, openNotifier } from './open-notifier';

/**
 * The notifier as a service: follows the findings of all clusters, and notifies the sinks of the
 * settings how they stand.
 */
@Injectable()
export class NotifierService implements ServiceRuntime {
  private readonly count: (event: NotifierEvent) => void;
  private notifier: OpenNotifier | undefined;
  private serviceLog: ServiceLog | undefined;

  constructor(@Inject(SHELL) private readonly shell: Shell) {
    this.count = countNotifier(shell.meter, () => ({
      status: () => this.status(),
      lags: () => this.notifier?.lags() ?? new Map<number, number>(),
      actionsLags: () => this.notifier?.actionsLags() ?? new Map<number, number>(),
    }));
  }

  async work(signal: AbortSignal, opened: Opened): Promise<void> {
    const { settings } = this.shell;
    if (Object.keys(settings.notify.sinks).length === 0)
      throw new Failure(
        'config-invalid',
        'There is no sink to notify. Name at least one in notify.sinks, with a type and a url.',
      );
    openStateDir(this.shell);
    const { log, ensure } = (this.serviceLog = openServiceLog(this.shell));
    opened('log', () => log.close());
    await ensure(signal);
    const notifier = (this.notifier = openNotifier({
      settings,
      log,
      clock: () => new Date(),
      onEvent: (event) => {
        this.count(event);
        this.report(event);
      },
    }));
    opened('state', () => {
      this.notifier = undefined;
      notifier.close();
    });
    await notifier.run(signal);
  }

  missing(): readonly Lack[] {
    return [
      ...(this.serviceLog?.missing() ?? [{ what: 'log', detail: 'it was not opened yet' }]),
      ...(this.notifier?.missing() ?? []),
    ];
  }

  stuck(): string | undefined {
    return this.notifier?.stuck();
  }

  status(): NotifierStatus {
    return this.notifier?.status() ?? idleStatus(this.shell.settings.notify);
  }

  private report(event: NotifierEvent): void {
    const { logger } = this.shell;
    switch (event.type) {
      case 'delivered':
        return logger.info('notified', {
          sink: event.sink,
          notification: event.id,
          state: event.state,
        });
      case 'failed': {
        const { sink, id, why, retryInMs } = event;
        return logger.warn('notification failed', { sink, notification: id, why, retryInMs });
      }
      case 'unreadable':
        return logger.warn('record skipped', { offset: event.offset, why: event.why });
      case 'caught-up':
        return logger.info('partition caught up', { partition: event.partition });
      default: {
        const { type, ...fields } = event;
        logger[type === 'read-failed' ? 'warn' : 'info'](type.replace('-', ' '), fields);
      }
    }
  }
}
