import type { CatchingUp } from '@ovn-steward/service/kafka/catching-up';
import type { Logger } from '@ovn-steward/service/log/logger';
import type { ExecutorEvent } from '../consume/executor';

/** Puts what an executor reads into the log, and the knowledge of how far it is. Must not throw. */
export function reportReading(
  logger: Logger,
  progress: CatchingUp,
): (event: ExecutorEvent) => void {
  return (event) => {
    const { type, ...fields } = event;
    if (event.type === 'batch') {
      progress.moved();
      const offsets = `${event.partition}/${event.first}-${event.last}`;
      for (const { id, cluster, rule, revision, remedy } of event.proposed)
        logger.info('proposal', {
          cluster,
          finding: id,
          revision,
          rule,
          remedy,
          findings: offsets,
        });
      for (const { id, cluster, rule } of event.withdrawn)
        logger.info('proposal withdrawn', { cluster, finding: id, rule, findings: offsets });
      if (event.deadLetters > 0)
        logger.warn('records set aside', { findings: offsets, deadLetters: event.deadLetters });
      return;
    }
    if (event.type === 'assigned') progress.opened(event.partition);
    else if (event.type === 'revoked') progress.closed(event.partition);
    else if (event.type === 'read-failed') progress.failed(event.error, event.retryInMs);
    logger[event.type === 'read-failed' ? 'warn' : 'info'](type.replace('-', ' '), fields);
  };
}
