import type { Shell } from '@ovn-steward/service/work/service';
import type { CollectorEvent } from '../collect/collect';
import { countCollector } from '../collect/metrics';

export interface CollectorReport {
  readonly onEvent: (event: CollectorEvent) => void;
  /** Where the last change of a stream that was published stands in it. */
  readonly published: (
    stream: string,
  ) => { readonly epoch: number; readonly seq: number } | undefined;
}

/**
 * Puts what a collector does into metrics and the log. `sources`: the id of each, and what it
 * observes, which is its label.
 */
export function reportCollector(
  { logger, meter, settings: { cluster } }: Pick<Shell, 'logger' | 'meter' | 'settings'>,
  sources: ReadonlyMap<string, string>,
): CollectorReport {
  const last = new Map<string, { readonly epoch: number; readonly seq: number }>();
  const count = countCollector(meter, sources, { cluster });
  const onEvent = (event: CollectorEvent): void => {
    count(event);
    if (event.type !== 'published') {
      const { type, source, error, retryInMs } = event;
      logger.warn(type.replace('-', ' '), { source, reason: error, retryInMs });
      return;
    }
    const {
      stream,
      changes,
      onlyHeartbeats,
      epoch,
      firstSeq,
      lastSeq,
      partition,
      offsets = [],
      omitted = [],
    } = event;
    last.set(stream, { epoch, seq: lastSeq });
    // From a change to its offsets; the analyzer logs with each finding the offsets it came from.
    logger[onlyHeartbeats ? 'debug' : 'info']('changes published', {
      stream,
      epoch,
      seqs: `${firstSeq}-${lastSeq}`,
      changes,
      partition,
      offsets: offsets.map((it) => `${it.first}-${it.next - 1n}`),
    });
    if (omitted.length > 0)
      logger.warn('objects too large for the log; what they hold lies among the dead letters', {
        stream,
        keys: omitted,
      });
  };
  return { onEvent, published: (stream) => last.get(stream) };
}
