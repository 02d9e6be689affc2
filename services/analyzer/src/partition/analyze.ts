import { setTimeout as sleep } from 'node:timers/promises';
import { doublingBackOff } from '@ovn-steward/shared/back-off';
import { Decisions, eachSecond } from '../decided/decisions';
import { Failure, messageOf, retryOf } from '@ovn-steward/shared/errors';
import { createLanes } from '@ovn-steward/shared/lane';
import type { Log, LogBatch } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { PartitionOptions } from './partition';
import { Partition } from './partition';
import { isLost } from './relay';
import type { Checkpoint } from '../store/checkpoint';

const GROUP = 'steward-analyzer';
/**
 * The most records judged, saved and published at once, where so many wait: each batch waits for the
 * disk, and a thing that changed twice in it is judged once. They are folded without a pause, in
 * some 100 ms.
 */
const BATCH_RECORDS = 2000;

/** What happens beside the batches, for logs and metrics. */
export type AnalyzerEvent =
  /** The partition is ours from here on, read up to the position. */
  | {
      readonly type: 'partition-opened';
      readonly partition: number;
      readonly position: bigint;
      readonly clusters: readonly string[];
    }
  /**
   * Its checkpoint is not used: state is read from the log's beginning, findings from what was
   * published.
   */
  | { readonly type: 'partition-rebuilding'; readonly partition: number; readonly why: string }
  | { readonly type: 'partition-closed'; readonly partition: number }
  /** What people suppress cannot be read: what was suppressed stays so, and nothing new is. */
  | { readonly type: 'decisions-unread'; readonly partition: number; readonly error: string }
  /** How far sources are known could not be published: findings are, and it is tried again. */
  | { readonly type: 'status-unpublished'; readonly partition: number; readonly error: string }
  /** Another analyzer has it; nothing more of ours is published there. */
  | { readonly type: 'partition-lost'; readonly partition: number; readonly error: string }
  /** Reading ended; it begins again from the checkpoints after that time. */
  | {
      readonly type: 'failed';
      readonly error: string;
      readonly code?: string;
      readonly retryInMs: number;
    };

/**
 * One batch of the log: its records, how many of them could not be read, and how long it took to
 * judge and publish.
 */
export interface AnalyzedBatch {
  readonly partition: number;
  readonly records: number;
  readonly deadLetters: number;
  readonly seconds: number;
  /** Where the partition goes on. */
  readonly next: bigint;
}

export interface AnalyzerOptions extends Pick<
  PartitionOptions,
  'log' | 'grace' | 'version' | 'switches' | 'isProtected' | 'uninstalled' | 'only' | 'onApplied'
> {
  /**
   * Where what people suppress is read from, with its signers; nothing is suppressed by people
   * unless given.
   */
  readonly decisions?: Pick<Log, 'read'>;
  /** Opened when the partition is assigned, closed when it is lost. */
  readonly openCheckpoint: (partition: number) => Checkpoint;
  /** Dates what is published: the real time, or a recording's. */
  readonly clock: () => Date;
  /**
   * Called with every finding that is published, again when it is published again. Must not throw.
   */
  readonly onFindings?: NonNullable<PartitionOptions['onFindings']>;
  /**
   * Called with every batch once all it brought about is published; for metrics. Must not throw.
   */
  readonly onBatch?: (batch: AnalyzedBatch) => void;
  /** Must not throw. */
  readonly onEvent?: (event: AnalyzerEvent) => void;
  /**
   * Milliseconds to wait before the given attempt (1, 2, …) to read on after a failure. Default:
   * 0.5 s, doubling up to 30 s.
   */
  readonly backOff?: (attempt: number) => number;
}

/**
 * What is known of one cluster at this moment, for reading. Get it again rather than keep it: a
 * rebuild starts another.
 */
export type AnalyzedCluster = Pick<
  Engine,
  'findings' | 'resolved' | 'finding' | 'unknowns' | 'pairing' | 'streams' | 'world' | 'now'
>;

export interface Analyzer {
  /**
   * Follows the changes of the partitions it is given until the signal fires.
   * @throws Failure that trying again cannot mend.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Every cluster with records in the partitions held. */
  clusters(): readonly string[];
  /** Undefined for a cluster without records here. Stays readable after `run` has ended. */
  picture(cluster: string): AnalyzedCluster | undefined;
  /** The partitions held. */
  partitions(): readonly number[];
  /** Up to where a partition was read and saved; undefined when it is not held. */
  position(partition: number): bigint | undefined;
}

/** Publishes what people suppressed since, and which of it is over, in every partition held. */
async function applySuppressions({
  open,
  decided,
  inTurn,
  lost,
}: {
  readonly open: ReadonlyMap<number, Partition>;
  readonly decided: Decisions;
  readonly inTurn: ReturnType<typeof createLanes<number>>;
  readonly lost: (partition: number, error: unknown) => void;
}): Promise<void> {
  for (const [number, partition] of open)
    if (await decided.changed(number))
      await inTurn(number, async () => {
        if (open.get(number) === partition) await partition.suppressAnew();
      }).catch((error: unknown) => {
        // The next batch publishes what could not be published, or the analyzer that has the
        // partition now.
        if (open.get(number) === partition && isLost(error)) lost(number, error);
      });
}

/** What a partition reports, as events. */
const toldOf = (
  partition: number,
  onEvent: (event: AnalyzerEvent) => void,
): Pick<PartitionOptions, 'onRebuild' | 'onStatusUnpublished'> => ({
  onRebuild: (why) => onEvent({ type: 'partition-rebuilding', partition, why }),
  onStatusUnpublished: (error) =>
    onEvent({ type: 'status-unpublished', partition, error: messageOf(error) }),
});

/** changes → world → rules → findings, for every cluster of every partition it is given. */
export function createAnalyzer(options: AnalyzerOptions): Analyzer {
  const { log, only, onEvent = () => {}, backOff = doublingBackOff } = options;
  const open = new Map<number, Partition>();
  /** Of the partitions held, or held last when `run` ended. */
  const engines = new Map<number, ReadonlyMap<string, Engine>>();
  const inTurn = createLanes<number>();
  const decided = new Decisions({
    ...options,
    onUnread: (partition, error) => onEvent({ type: 'decisions-unread', partition, error }),
  });
  let attempt = 0;

  const opened = (number: number): Partition => {
    let partition = open.get(number);
    if (!partition) {
      open.set(
        number,
        (partition = new Partition(number, options.openCheckpoint(number), {
          ...options,
          group: GROUP,
          ...toldOf(number, onEvent),
          suppressions: (cluster) => decided.of(number, cluster),
        })),
      );
      engines.set(number, partition.engines);
    }
    return partition;
  };
  const close = (number: number, keepPicture: boolean): void => {
    if (!keepPicture) engines.delete(number);
    if (!open.has(number)) return;
    open.get(number)!.close();
    open.delete(number);
    onEvent({ type: 'partition-closed', partition: number });
  };

  const resumeAt = async (number: number): Promise<bigint> => {
    if (only !== undefined && number !== partitionOf(only, PARTITIONS))
      return (await log.watermarks(CHANGES, number)).high;
    const partition = opened(number);
    await decided.changed(number);
    const position = await partition.resume();
    onEvent({
      type: 'partition-opened',
      partition: number,
      position,
      clusters: [...opened(number).engines.keys()],
    });
    return position;
  };

  /** The partition is another's from here on. */
  const lost = (number: number, error: unknown): void => {
    onEvent({ type: 'partition-lost', partition: number, error: messageOf(error) });
    close(number, false);
  };

  const onBatch = async (batch: LogBatch): Promise<void> => {
    if (only !== undefined && batch.partition !== partitionOf(only, PARTITIONS)) return;
    const partition = open.get(batch.partition);
    if (!partition)
      throw new Failure(
        'log-partition-lost',
        `A batch of partition ${batch.partition} arrived after the partition was lost: it is assigned again.`,
      );
    const began = performance.now();
    try {
      const { deadLetters } = await partition.take(batch);
      attempt = 0;
      options.onBatch?.({
        partition: batch.partition,
        records: batch.records.length,
        deadLetters,
        seconds: (performance.now() - began) / 1000,
        next: batch.next,
      });
    } catch (error) {
      if (!isLost(error)) throw error;
      lost(batch.partition, error);
    }
  };

  /** After a failure that may pass: the stored positions decide where reading goes on. */
  const recover = async (error: unknown, signal: AbortSignal): Promise<void> => {
    // What we stopped at is no longer in the log: the partition it happened in is found, and
    // rebuilt, when it is opened again.
    const lost = error instanceof Failure && error.code === 'log-position-lost';
    if (!lost && retryOf(error, 'later') === 'never') throw error;
    const retryInMs = backOff(++attempt);
    onEvent({
      type: 'failed',
      error: messageOf(error),
      ...(error instanceof Failure ? { code: error.code } : {}),
      retryInMs,
    });
    await sleep(retryInMs, undefined, { signal }).catch(() => undefined);
  };

  const consuming = async (
    signal: AbortSignal,
    onRevoked: (topic: string, partition: number) => void,
  ): Promise<void> => {
    while (!signal.aborted) {
      try {
        await log.consume({
          group: GROUP,
          topics: [CHANGES],
          maxRecords: BATCH_RECORDS,
          signal,
          onBatch: (batch) => inTurn(batch.partition, () => onBatch(batch)),
          onRevoked,
          resumeAt: (_, number) => inTurn(number, () => resumeAt(number)),
        });
      } catch (error) {
        for (const number of [...open.keys()]) close(number, false);
        await recover(error, signal);
      } finally {
        for (const number of [...open.keys()]) close(number, true);
      }
    }
  };

  return {
    async run(signal) {
      const ended = new AbortController();
      const applyNewSuppressions = (): Promise<void> =>
        applySuppressions({ open, decided, inTurn, lost });
      const applying = eachSecond(applyNewSuppressions, AbortSignal.any([signal, ended.signal]));
      const onRevoked = (_: string, number: number): void => close(number, signal.aborted);
      try {
        await consuming(signal, onRevoked);
      } finally {
        ended.abort();
        await applying;
      }
    },
    clusters: () => [...engines.values()].flatMap((it) => [...it.keys()]),
    picture: (cluster) => engines.get(partitionOf(cluster, PARTITIONS))?.get(cluster),
    partitions: () => [...open.keys()],
    position: (number) => open.get(number)?.position,
  };
}
