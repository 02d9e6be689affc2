import type { CatchingUp } from '@ovn-steward/service/kafka/catching-up';
import { define } from '@ovn-steward/service/meter/definition';
import type { Shell } from '@ovn-steward/service/service';
import type { ExecutorEvent } from '../executor';

/** What an executor tells of what it knows and does. */
export const EXECUTOR_METRICS = {
  proposals: define('gauge', 'executor_proposals', ['cluster', 'rule'], 'Confirmed findings something would be done about. Nothing is done.'),
  records: define('counter', 'executor_records_total', [], 'Records of the findings that were read, dead letters included.'),
  newer: define('counter', 'executor_newer_records_total', [], 'Findings with words this version does not know; they are never proposed.'),
  deadLetters: define('counter', 'dead_letters_total', [], 'Records that could not be read and were set aside.'),
  failures: define('counter', 'executor_failures_total', [], 'How often reading failed and was begun again.'),
  partitions: define('gauge', 'executor_partitions', [], 'Partitions of the findings this executor has.'),
  lag: define('gauge', 'executor_partition_lag', ['partition'], 'Offsets between what is read and the end of the partition; 0 when all is read.'),
} as const;

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
