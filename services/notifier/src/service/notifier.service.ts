import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import {
  type CatchingUp,
  catchingUp,
  refreshing,
  showLags,
} from '@ovn-steward/service/kafka/catching-up';
import { openServiceLog, type ServiceLog } from '@ovn-steward/service/kafka/service-log';
import {
  type Lack,
  type Opened,
  type ServiceRuntime,
  SHELL,
  type Shell,
} from '@ovn-steward/service/work/service';
import { openStateDir } from '@ovn-steward/service/work/state-dir';
import { Failure } from '@ovn-steward/shared/errors';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { FINDINGS } from '@ovn-steward/shared/log/topics';
import type { DeliveryEvent, Sink } from '../deliver/deliver';
import { followAndDeliver } from '../deliver/follow-and-deliver';
import { NotifierStore } from '../store/notifier-store';
import { NOTIFIER_METRICS } from './metrics';
import type { NotifierStatus } from './notifier-status';

/** The notifier as a service: follows the findings of all clusters, and tells the sinks of the settings how they stand. */
@Injectable()
export class NotifierService implements ServiceRuntime {
  private readonly sinks: readonly Sink[];
  private readonly failures = new Map<string, string>();
  private store: NotifierStore | undefined;
  private serviceLog: ServiceLog | undefined;
  private progress: CatchingUp | undefined;

  constructor(@Inject(SHELL) private readonly shell: Shell) {
    const { settings, meter } = shell;
    this.sinks = Object.entries(settings.notify.sinks).map(([name, it]) => ({
      name,
      settings: it,
    }));
    for (const { name } of this.sinks) {
      meter.inc(NOTIFIER_METRICS.failures, { sink: name }, 0);
      meter.set(NOTIFIER_METRICS.lastDelivery, { sink: name }, 0);
      for (const state of ['open', 'resolved'])
        meter.inc(NOTIFIER_METRICS.notifications, { sink: name, state }, 0);
    }
    meter.onScrape(() => this.showMetrics());
  }

  async work(signal: AbortSignal, opened: Opened): Promise<void> {
    const { settings, logger, meter } = this.shell;
    if (this.sinks.length === 0)
      throw new Failure(
        'config-invalid',
        'Nobody is to be notified. Name at least one sink in notify.sinks, with a type and a url.',
      );
    openStateDir(this.shell);
    const file = openStateFile(join(settings.stateDir, 'notifier.db'));
    opened('state', () => {
      this.store = undefined;
      file.close();
    });
    const store = (this.store = new NotifierStore(file));
    const { log, ensure } = (this.serviceLog = openServiceLog(this.shell));
    opened('log', () => log.close());
    await ensure(signal);
    const progress = (this.progress = catchingUp({
      watermarks: (partition) => log.watermarks(FINDINGS, partition),
      position: (partition) => store.position(partition)?.next,
      onCaughtUp: (partition) => logger.info('partition caught up', { partition }),
    }));
    const work = followAndDeliver(
      {
        log,
        store,
        sinks: this.sinks,
        progress,
        clock: () => new Date(),
        onFollow: ({ type, ...fields }) =>
          logger[type === 'read-failed' ? 'warn' : 'info'](type.replace('-', ' '), fields),
        onUnreadable: (offset, why) => {
          meter.inc(NOTIFIER_METRICS.deadLetters, {});
          logger.warn('record passed over', { offset, why });
        },
        onDelivery: (event) => this.delivered(event),
      },
      signal,
    );
    await refreshing(progress, work);
  }

  missing(): readonly Lack[] {
    return [
      ...(this.serviceLog?.missing() ?? [{ what: 'log', detail: 'it was not opened yet' }]),
      ...(this.progress?.missing() ?? []),
    ];
  }

  stuck(): string | undefined {
    return this.progress?.stuck();
  }

  status(): NotifierStatus {
    return {
      partitions: [...(this.progress?.lags() ?? [])].map(([partition, lag]) => ({
        partition,
        position: String(this.store?.position(partition)?.next ?? 0n),
        lag,
      })),
      sinks: this.sinks.map(({ name, settings: { type } }) => ({
        name,
        type,
        waiting: this.store?.waiting(name) ?? 0,
        failure: this.failures.get(name) ?? null,
      })),
    };
  }

  private delivered(event: DeliveryEvent): void {
    const { meter, logger } = this.shell;
    const { type, sink } = event;
    if (event.type === 'delivered') {
      meter.inc(NOTIFIER_METRICS.notifications, { sink, state: event.state });
      meter.set(NOTIFIER_METRICS.lastDelivery, { sink }, Date.now() / 1000);
      this.failures.delete(sink);
      logger.info('notified', { sink, notification: event.id, state: event.state });
      return;
    }
    meter.inc(NOTIFIER_METRICS.failures, { sink });
    this.failures.set(sink, event.why);
    const { id, why, retryInMs } = event;
    logger.warn(`notification ${type}`, { sink, notification: id, why, retryInMs });
  }

  private showMetrics(): void {
    const { meter } = this.shell;
    showLags(meter, NOTIFIER_METRICS.lag, this.progress);
    for (const { name } of this.sinks)
      meter.set(NOTIFIER_METRICS.waiting, { sink: name }, this.store?.waiting(name) ?? 0);
  }
}
