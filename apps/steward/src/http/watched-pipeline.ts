import { type Picture, STALE_AFTER_MS } from '@ovn-steward/analyzer';
import type { Source } from '@ovn-steward/collector';
import type { Deciding, ExecutorReading } from '@ovn-steward/executor';
import type { NotifierReading } from '@ovn-steward/notifier';
import type { Score } from '@ovn-steward/judgement/score/score';
import type { EventLoopDelay } from '@ovn-steward/service/meter/event-loop-delay';
import { messageOf } from '@ovn-steward/shared/errors';
import { VERSION } from '../process/version';
import { createMetrics } from './metrics';
import type { PipelineWatcher } from './pipeline';
import type { ShownPipeline } from './shown-pipeline';

/** The watcher of a pipeline, and what HTTP shows of what it saw. */
export interface WatchedPipeline {
  readonly watcher: PipelineWatcher;
  readonly pipeline: ShownPipeline;
}

export interface WatchedOptions {
  readonly cluster: string;
  readonly picture: () => Picture;
  /** How Kube-OVN collects its own garbage; for the metrics. */
  readonly score?: () => Score | undefined;
  /** The sources, and the names of all streams they will publish. */
  readonly sources: readonly Pick<Source, 'id' | 'source'>[];
  readonly streams: readonly string[];
  /** The sources' clock, and how many times faster than ours it runs. */
  readonly clock: () => Date;
  readonly speed: number;
  /** Who may do what, and by which certificates; the metrics show when those end. */
  readonly settings: Parameters<typeof createMetrics>[3];
  readonly onError?: (message: string) => void;
}

export function watchedPipeline(
  options: WatchedOptions,
  access: ShownPipeline['access'],
  delay: EventLoopDelay,
): WatchedPipeline {
  const sources = new Map(options.sources.map((it) => [it.id, it.source]));
  const metrics = createMetrics(VERSION, sources, delay, options.settings, options.onError);
  let failure: string | undefined;
  let executor: ExecutorReading | undefined;
  let deciding: Deciding | undefined;
  let notifier: NotifierReading | undefined;
  const pipeline: ShownPipeline = {
    version: VERSION,
    cluster: options.cluster,
    picture: options.picture,
    clock: options.clock,
    metrics: (shown) =>
      metrics.text({ ...shown, score: options.score?.() }, options.clock().getTime()),
    expected: {
      streams: options.streams,
      staleAfterMs: STALE_AFTER_MS * Math.max(1, options.speed),
    },
    holds: () => executor?.holds() ?? null,
    unsettled: () => executor?.unsettled() ?? [],
    deciding: () => deciding,
    notifier: () => notifier?.status() ?? null,
    access,
    onRefused: metrics.onRefused,
    failure: () => failure,
  };
  const watcher: PipelineWatcher = {
    onEvent: metrics.onEvent,
    onBatch: metrics.onBatch,
    onExecutor: metrics.onExecutor,
    onReading: (executorReading) => {
      executor = executorReading;
      metrics.onReading(executorReading);
    },
    onNotifier: metrics.onNotifier,
    onNotifierReading: (reading) => {
      notifier = reading;
      metrics.onNotifierReading(reading);
    },
    onDeciding: (decider) => {
      deciding = decider;
    },
    onFailed: (error) => {
      failure ??= messageOf(error);
    },
  };
  return { pipeline, watcher };
}
