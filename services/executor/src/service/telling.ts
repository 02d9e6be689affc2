import type { CatchingUp } from '@ovn-steward/service/kafka/catching-up';
import type { Shell } from '@ovn-steward/service/service';
import type { ExecutorEvent } from '../executor';
import { EXECUTOR_METRICS } from '../metrics';

/** Puts what an executor does into metrics, the log, and the knowledge of how far it is. Must not throw. */
export function telling({ logger, meter }: Pick<Shell, 'logger' | 'meter'>, progress: CatchingUp): (event: ExecutorEvent) => void {
  for (const it of [EXECUTOR_METRICS.records, EXECUTOR_METRICS.newer, EXECUTOR_METRICS.deadLetters, EXECUTOR_METRICS.failures]) meter.inc(it, {}, 0);
  return (event) => {
    const { type, ...fields } = event;
    if (event.type === 'batch') {
      progress.moved();
      meter.inc(EXECUTOR_METRICS.records, {}, event.records);
      meter.inc(EXECUTOR_METRICS.newer, {}, event.newer);
      meter.inc(EXECUTOR_METRICS.deadLetters, {}, event.deadLetters);
      const offsets = `${event.partition}/${event.first}-${event.last}`;
      for (const { id, cluster, rule, revision, remedy } of event.proposed) logger.info('proposal', { cluster, finding: id, revision, rule, remedy, findings: offsets });
      for (const { id, cluster, rule } of event.withdrawn) logger.info('proposal withdrawn', { cluster, finding: id, rule, findings: offsets });
      if (event.deadLetters > 0) logger.warn('records set aside', { findings: offsets, deadLetters: event.deadLetters });
      return;
    }
    if (event.type === 'assigned') progress.opened(event.partition);
    else if (event.type === 'revoked') progress.closed(event.partition);
    else if (event.type === 'read-failed') {
      meter.inc(EXECUTOR_METRICS.failures, {});
      progress.moved();
    }
    logger[event.type === 'read-failed' ? 'warn' : 'info'](type.replace('-', ' '), fields);
  };
}
