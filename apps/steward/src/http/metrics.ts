import { ANALYZER_METRICS, countBatch, showPictures, sourcesOf, SUBNET_METRICS } from '@ovn-steward/analyzer';
import type { AnalyzedBatch, ClusterView } from '@ovn-steward/analyzer';
import { COLLECTOR_METRICS, countCollector } from '@ovn-steward/collector';
import type { CollectorEvent } from '@ovn-steward/collector';
import { type ActEvent, countGuards, GUARD_METRICS } from '@ovn-steward/executor';
import { define } from '@ovn-steward/service/meter/definition';
import type { EventLoopDelay } from '@ovn-steward/service/meter/event-loop-delay';
import { createMeter } from '@ovn-steward/service/meter/meter';
import { PROCESS_METRICS, tellOfProcess } from '@ovn-steward/service/meter/process-metrics';

const { build, eventLoopDelay } = PROCESS_METRICS;
const { records, batch, deadLetters, ...pictured } = ANALYZER_METRICS;

/** Every series `GET /metrics` has; docs/http.md repeats it. */
export const METRICS = {
  build,
  ready: define('gauge', 'ready', [], '1 while everything that some rule needs is known in full and fresh, else 0: as /readyz says.'),
  ...pictured,
  ...SUBNET_METRICS,
  ...COLLECTOR_METRICS,
  records, batch, deadLetters,
  ...GUARD_METRICS,
  eventLoopDelay,
} as const;

export interface Metrics {
  onEvent(event: CollectorEvent): void;
  onBatch(batch: AnalyzedBatch): void;
  onAct(event: ActEvent): void;
  /** The Prometheus text format of what is known at `now`, milliseconds on the sources' clock. */
  text(shown: Pick<ClusterView, 'picture' | 'ready'>, now: number): Promise<string>;
}

/** `sources`: the id of each that is to be read, and what it tells of (`ovn-nb`, `kubernetes`), which is its label. */
export function createMetrics(version: string, sources: ReadonlyMap<string, string>, delay: Pick<EventLoopDelay, 'read'>): Metrics {
  const meter = createMeter(Object.values(METRICS));
  tellOfProcess(meter, version, delay);
  return {
    onEvent: countCollector(meter, sources),
    onBatch: (it) => countBatch(meter, it),
    onAct: countGuards(meter),
    text({ picture, ready }, now) {
      meter.set(METRICS.ready, {}, ready ? 1 : 0);
      showPictures(meter, new Map([[undefined, { picture, sources: sourcesOf(picture), expected: sources.values(), now }]]));
      return meter.text();
    },
  };
}
