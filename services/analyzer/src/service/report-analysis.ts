import type { CatchingUp } from '@ovn-steward/service/kafka/catching-up';
import { FindingState } from '@ovn-steward/contracts/findings/finding';
import type { Shell } from '@ovn-steward/service/work/service';
import type { AnalyzerEvent, AnalyzerOptions } from '../partition/analyzer-options';
import { countBatch, SHARED_ANALYZER_METRICS } from './metrics';

const WARNED: ReadonlySet<AnalyzerEvent['type']> = new Set([
  'failed',
  'decisions-unread',
  'status-unpublished',
  'partition-lost',
]);

/**
 * Puts what an analyzer does into metrics, the log and the knowledge of how far it is. `onMoved`:
 * called with a partition after each of its batches.
 */
export function reportAnalysis(
  { logger, meter }: Pick<Shell, 'logger' | 'meter'>,
  progress: CatchingUp,
  onMoved: (partition: number) => void,
): Required<Pick<AnalyzerOptions, 'onFindings' | 'onBatch' | 'onEvent'>> {
  for (const definition of [
    SHARED_ANALYZER_METRICS.rebuilds,
    SHARED_ANALYZER_METRICS.lost,
    SHARED_ANALYZER_METRICS.failures,
  ])
    meter.inc(definition, {}, 0);
  for (const state of FindingState.options)
    meter.inc(SHARED_ANALYZER_METRICS.published, { state }, 0);
  const onEvent = (event: AnalyzerEvent): void => {
    const { type, ...fields } = event;
    switch (event.type) {
      case 'partition-opened':
        progress.opened(event.partition);
        break;
      case 'partition-closed':
        progress.closed(event.partition);
        break;
      case 'partition-rebuilding':
        meter.inc(SHARED_ANALYZER_METRICS.rebuilds, {});
        break;
      case 'partition-lost':
        meter.inc(SHARED_ANALYZER_METRICS.lost, {});
        break;
      case 'failed':
        meter.inc(SHARED_ANALYZER_METRICS.failures, {});
        progress.failed(event.error, event.retryInMs);
        break;
      case 'decisions-unread':
      case 'status-unpublished':
        break;
    }
    logger[WARNED.has(type) ? 'warn' : 'info'](type.replaceAll('-', ' '), fields);
  };
  return {
    onFindings(published) {
      for (const {
        finding: { id, revision, rule, state, subject, cluster },
        changes,
      } of published) {
        meter.inc(SHARED_ANALYZER_METRICS.published, { state });
        // From a finding to the batch of changes it came from: the collector logged the same
        // offsets with the stream, epoch and seqs.
        logger.info('finding published', {
          cluster,
          finding: id,
          revision,
          rule,
          state,
          subject,
          changes,
        });
      }
    },
    onBatch(batch) {
      countBatch(meter, batch);
      progress.moved();
      onMoved(batch.partition);
      if (batch.deadLetters > 0)
        logger.warn('records set aside', {
          partition: batch.partition,
          deadLetters: batch.deadLetters,
          next: batch.next,
        });
      logger.debug('batch judged', { ...batch });
    },
    onEvent,
  };
}
