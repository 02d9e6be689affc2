import { join } from 'node:path';
import { openAnalyzer } from '@ovn-steward/analyzer';
import { embeddedLog } from '@ovn-steward/shared/signing/embedded-log';
import { signingOf } from '@ovn-steward/shared/signing/signing-of';
import type { AnalyzedBatch, GradingAnalyzer } from '@ovn-steward/analyzer';
import { collectIntoLog, openMirror } from '@ovn-steward/collector';
import type { CollectorEvent, Source } from '@ovn-steward/collector';
import {
  type Deciding,
  type ExecutorActivity,
  type ExecutorReading,
  runEmbedded,
} from '@ovn-steward/executor';
import type { NotifierEvent, NotifierReading } from '@ovn-steward/notifier';
import { type Systems } from '@ovn-steward/systems/systems';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { messageOf } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { TOPICS } from '@ovn-steward/shared/log/topics';
import { privateFolder } from '@ovn-steward/shared/private-files';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { untilOneFails } from '@ovn-steward/shared/until-one-fails';
import { VERSION } from '../process/version';
import { FILES } from '../inputs/state-files';
import { notify } from './notify';

const COMPACT_EVERY_MS = 60_000;

export interface PipelineOptions {
  readonly settings: Settings;
  readonly sources: readonly Source[];
  /** What time it is for the sources: the real clock, or the recording's. */
  readonly clock: () => Date;
  readonly onFindings: (findings: readonly Finding[]) => void;
  /** A source reported something else than the time. */
  readonly onChanges: () => void;
  readonly onSourceTrouble: (source: string, message: string) => void;
  /** The living systems the sources read, where something may be done about what is found. */
  readonly systems?: Systems;
  /** Whether the sinks of the settings are notified; not of what is only a recording. */
  readonly notifies?: boolean;
  /** Called with what is decided and done about findings, and of backups. */
  readonly onExecutor?: (event: ExecutorActivity) => void;
  /**
   * Called once the analyzer exists, before anything runs; the watcher it returns is notified of
   * what happens.
   */
  readonly onStart?: (analyzer: GradingAnalyzer) => Promise<PipelineWatcher | undefined>;
}

/** Notified of what goes on, for metrics and health. Must not throw. */
export interface PipelineWatcher {
  onEvent(event: CollectorEvent): void;
  onBatch(batch: AnalyzedBatch): void;
  onExecutor(event: ExecutorActivity): void;
  /** What reads the executor's state from now on; undefined while no executor runs. */
  onReading(reading: ExecutorReading | undefined): void;
  onNotifier(event: NotifierEvent): void;
  /** Whom to ask of the notifier from now on; nobody while none runs. */
  onNotifierReading(reading: NotifierReading | undefined): void;
  /** What takes decisions down from now on; nothing while no executor runs. */
  onDeciding(deciding: Deciding | undefined): void;
  /** One half failed with this; the other is being stopped. */
  onFailed(error: unknown): void;
}

/**
 * Collector, log, analyzer and, on living systems, executor and notifier in one process on the
 * embedded log, until the signal fires. Everything it remembers is in the state directory; killed
 * at any instant and started again, it goes on as if nothing had been.
 *
 * Recorded sources end; the pipeline then goes on serving what it knows until the signal.
 * @throws Failure that trying again cannot mend; both halves are stopped first.
 */
export async function runPipeline(options: PipelineOptions, signal: AbortSignal): Promise<void> {
  const { settings } = options;
  const open = privateFolder(settings.stateDir);
  if (open !== undefined) options.onSourceTrouble('state', open);
  const mirror = openMirror(settings);
  const closing: (() => void | Promise<void>)[] = [() => mirror.close()];
  try {
    const log = openSqliteLog({
      file: join(settings.stateDir, FILES.log),
      // What was published before a recording had said its time is dated by ours.
      now: () => Math.max(options.clock().getTime(), Date.now()),
    });
    closing.push(() => log.close());
    for (const note of await log.ensureTopics(TOPICS)) options.onSourceTrouble('log', note);
    let watcher: PipelineWatcher | undefined = undefined;
    const analyzer = analyzerOn(log, options, (batch) => watcher?.onBatch(batch));
    watcher = await options.onStart?.(analyzer);
    const compaction = setInterval(() => compactSome(log, options), COMPACT_EVERY_MS);
    closing.unshift(() => clearInterval(compaction));
    await untilOneFails(
      [
        collecting(log, mirror, options, watcher),
        (signal) => analyzer.run(signal),
        ...acting(log, options, watcher),
        ...notifying(log, options, watcher),
      ],
      signal,
      (error) => watcher?.onFailed(error),
    );
  } finally {
    for (const close of closing) await close();
  }
}

/** A part of the pipeline: works until the signal fires. */
type Part = (signal: AbortSignal) => Promise<void>;

const analyzerOn = (
  log: Log,
  { settings, clock, onFindings, onSourceTrouble }: PipelineOptions,
  onBatch: (batch: AnalyzedBatch) => void,
): GradingAnalyzer =>
  openAnalyzer({
    settings,
    version: VERSION,
    only: settings.cluster,
    log,
    clock,
    checkpointFile: () => FILES.checkpoint,
    decisions: embeddedLog(
      log,
      signingOf(settings.signing, (message) => onSourceTrouble('signing', message)).trusted,
    ),
    onFindings: (published) => onFindings(published.map((it) => it.finding)),
    onBatch,
    onEvent: (event) => {
      if (event.type === 'failed')
        onSourceTrouble('analyzer', `${event.error}; trying again in ${event.retryInMs} ms`);
    },
  });

const collecting =
  (
    log: Log,
    mirror: ReturnType<typeof openMirror>,
    { settings, sources, clock, onChanges, onSourceTrouble }: PipelineOptions,
    watcher: PipelineWatcher | undefined,
  ): Part =>
  (signal) =>
    collectIntoLog(
      {
        cluster: settings.cluster,
        sources,
        log,
        mirror,
        clock,
        onTrouble: (message) => onSourceTrouble('log', message),
        onEvent: (event) => {
          watcher?.onEvent(event);
          if (event.type !== 'published')
            onSourceTrouble(event.source, `${event.error}; trying again in ${event.retryInMs} ms`);
          else if (!event.onlyHeartbeats) onChanges();
        },
      },
      signal,
    );

/** The executor, on living systems. */
const acting = (
  log: Log,
  { settings, systems, clock, onExecutor, onSourceTrouble }: PipelineOptions,
  watcher: PipelineWatcher | undefined,
): Part[] =>
  systems === undefined
    ? []
    : [
        (signal) =>
          runEmbedded(
            {
              settings,
              log,
              systems,
              clock,
              onTrouble: (message) => onSourceTrouble('executor', message),
              onEvent: (event) => {
                watcher?.onExecutor(event);
                onExecutor?.(event);
              },
              onReading: (executorReading) => watcher?.onReading(executorReading),
              onDeciding: (deciding) => watcher?.onDeciding(deciding),
            },
            signal,
          ),
      ];

/** What notifies the sinks of the settings, if there are any. */
const notifying = (
  log: Log,
  { settings, notifies, onSourceTrouble }: PipelineOptions,
  watcher: PipelineWatcher | undefined,
): Part[] =>
  notifies && Object.keys(settings.notify.sinks).length > 0
    ? [
        (signal) =>
          notify(
            {
              settings,
              log,
              onTrouble: (message) => onSourceTrouble('notify', message),
              onEvent: (event) => watcher?.onNotifier(event),
              onReading: (reading) => watcher?.onNotifierReading(reading),
            },
            signal,
          ),
      ]
    : [];

/** A bounded amount of cleaning; the rest, and what failed, waits for the next turn. */
function compactSome(
  log: ReturnType<typeof openSqliteLog>,
  { clock, onSourceTrouble }: PipelineOptions,
): void {
  try {
    for (let step = 0; step < 50 && log.compact(clock().getTime()).more; step++);
  } catch (error) {
    onSourceTrouble('log', `cleaning failed: ${messageOf(error)}`);
  }
}
