import {
  ANALYZER_METRICS,
  countBatch,
  SCORE_METRICS,
  showPictures,
  sourcesOf,
  SUBNET_METRICS,
} from '@ovn-steward/analyzer';
import type { AnalyzedBatch, ClusterView } from '@ovn-steward/analyzer';
import { COLLECTOR_METRICS, countCollector } from '@ovn-steward/collector';
import type { CollectorEvent } from '@ovn-steward/collector';
import {
  countExecutor,
  EXECUTOR_METRICS,
  type ExecutorActivity,
  type ExecutorReading,
} from '@ovn-steward/executor';
import {
  countNotifier,
  NOTIFIER_METRICS,
  type NotifierEvent,
  type NotifierReading,
} from '@ovn-steward/notifier';
import type { Score } from '@ovn-steward/judgement/score/score';
import { define, type Definition } from '@ovn-steward/service/meter/definition';
import type { EventLoopDelay } from '@ovn-steward/service/meter/event-loop-delay';
import { createMeter } from '@ovn-steward/service/meter/meter';
import {
  PROCESS_METRICS,
  registerProcessMetrics,
} from '@ovn-steward/service/meter/process-metrics';

const { build, eventLoopDelay, certificateExpiry, unshown, refused } = PROCESS_METRICS;
const { records, batch, deadLetters, ...pictured } = ANALYZER_METRICS;

const READY = define(
  'gauge',
  'ready',
  [],
  '1 while everything that some rule needs is known in full and fresh, else 0: as /readyz says.',
);

/** Every series `GET /metrics` has; docs/http.md repeats it. */
export const METRICS: readonly Definition[] = [
  build,
  READY,
  ...Object.values(pictured),
  ...Object.values(SUBNET_METRICS),
  ...Object.values(SCORE_METRICS),
  ...Object.values(COLLECTOR_METRICS),
  records,
  batch,
  deadLetters,
  // Analyzer and executor set aside what they cannot read under one name.
  ...Object.values(EXECUTOR_METRICS).filter((it) => it.name !== deadLetters.name),
  ...Object.values(NOTIFIER_METRICS),
  eventLoopDelay,
  certificateExpiry,
  unshown,
  refused,
];

export interface Metrics {
  onEvent(event: CollectorEvent): void;
  onBatch(batch: AnalyzedBatch): void;
  onExecutor(event: ExecutorActivity): void;
  /** What reads the executor's state from now on; undefined while no executor runs. */
  onReading(reading: ExecutorReading | undefined): void;
  onNotifier(event: NotifierEvent): void;
  /** Whom to ask of the notifier from now on; nobody while none runs. */
  onNotifierReading(reading: NotifierReading | undefined): void;
  /** A request over HTTP was refused with that status. */
  onRefused(status: number): void;
  /** The Prometheus text format of what is known at `now`, milliseconds on the sources' clock. */
  text(
    shown: Pick<ClusterView, 'picture' | 'ready'> & { readonly score?: Score | undefined },
    now: number,
  ): Promise<string>;
}

/**
 * `sources`: the id of each that is to be read, and what it observes (`ovn-nb`, `kubernetes`),
 * which is its label.
 */
export function createMetrics(
  version: string,
  sources: ReadonlyMap<string, string>,
  delay: Pick<EventLoopDelay, 'read'>,
  settings: Parameters<typeof registerProcessMetrics>[3],
  onError?: (message: string) => void,
): Metrics {
  const meter = createMeter(METRICS, {
    onFailed: (reason) => onError?.(`metrics are left out that cannot be read: ${reason}`),
  });
  registerProcessMetrics(meter, version, delay, settings);
  let executor: ExecutorReading | undefined;
  let notifier: NotifierReading | undefined;
  let showNow = (): void => undefined;
  meter.onScrape(() => showNow());
  return {
    onEvent: countCollector(meter, sources),
    onBatch: (analyzedBatch) => countBatch(meter, analyzedBatch),
    onExecutor: countExecutor(meter, () => executor),
    onReading: (executorReading) => {
      executor = executorReading;
    },
    onNotifier: countNotifier(meter, () => notifier),
    onNotifierReading: (reading) => {
      notifier = reading;
    },
    onRefused: (status) => meter.inc(refused, { status: String(status) }),
    text({ picture, ready, score }, now) {
      meter.set(READY, {}, ready ? 1 : 0);
      showNow = () =>
        showPictures(
          meter,
          new Map([
            [
              undefined,
              { picture, sources: sourcesOf(picture), expected: sources.values(), now, score },
            ],
          ]),
        );
      return meter.text();
    },
  };
}
