import { setTimeout as sleep } from 'node:timers/promises';
import { doublingBackOff } from '@ovn-steward/shared/back-off';
import { Failure, messageOf, retryOf } from '@ovn-steward/shared/errors';
import type { LogBatch } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { PartitionOptions } from './partition';
import { Partition } from './partition';
import type { Checkpoint } from '../store/checkpoint';

const GROUP = 'steward-analyzer';

/** What happens beside the batches, for logs and metrics. */
export type AnalyzerEvent =
  /** The partition is ours from here on, read up to the position. */
  | {
      readonly type: 'partition-opened';
      readonly partition: number;
      readonly position: bigint;
      readonly clusters: readonly string[];
    }
  /** Its checkpoint is not used: state is read from the log's beginning, findings from what was published. */
  | { readonly type: 'partition-rebuilding'; readonly partition: number; readonly why: string }
  | { readonly type: 'partition-closed'; readonly partition: number }
  /** Another analyzer has it; nothing more of ours is published there. */
  | { readonly type: 'partition-lost'; readonly partition: number; readonly error: string }
  /** Reading ended; it begins anew from the checkpoints after that time. */
  | {
      readonly type: 'failed';
      readonly error: string;
      readonly code?: string;
      readonly retryInMs: number;
    };

/** One batch of the log: its records, how many of them could not be read, and how long it took to judge and publish. */
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
  'log' | 'grace' | 'isProtected' | 'uninstalled' | 'only'
> {
  /** Opened when the partition is assigned, closed when it is lost. */
  readonly openCheckpoint: (partition: number) => Checkpoint;
  /** Dates what is published: the real time, or a recording's. */
  readonly clock: () => Date;
  /** Told of every finding that is published, again when it is published again. Must not throw. */
  readonly onFindings?: NonNullable<PartitionOptions['onFindings']>;
  /** Told of every batch once all it brought about is published; for metrics. Must not throw. */
  readonly onBatch?: (batch: AnalyzedBatch) => void;
  /** Must not throw. */
  readonly onEvent?: (event: AnalyzerEvent) => void;
  /** Milliseconds to wait before the given attempt (1, 2, …) to read on after a failure. Default: 0.5 s, doubling up to 30 s. */
  readonly backOff?: (attempt: number) => number;
}

/** What is known of one cluster at this moment, for reading. Ask again rather than keep it: a rebuild starts another. */
export type Picture = Pick<
  Engine,
  'findings' | 'resolved' | 'finding' | 'unknowns' | 'pairing' | 'streams' | 'world' | 'now'
>;

export interface Analyzer {
  /** Follows the changes of the partitions it is given until the signal fires. @throws Failure that trying again cannot mend. */
  run(signal: AbortSignal): Promise<void>;
  /** Every cluster heard of in the partitions held. */
  clusters(): readonly string[];
  /** Undefined for a cluster that was not heard of here. Stays readable after `run` has ended. */
  picture(cluster: string): Picture | undefined;
  /** The partitions held. */
  partitions(): readonly number[];
  /** Up to where a partition was read and saved; undefined when it is not held. */
  position(partition: number): bigint | undefined;
}

/** changes → world → rules → findings, for every cluster of every partition it is given. */
export function createAnalyzer(options: AnalyzerOptions): Analyzer {
  const { log, only, onEvent = () => {}, backOff = doublingBackOff } = options;
  const open = new Map<number, Partition>();
  /** Of the partitions held, or held last when `run` ended. */
  const engines = new Map<number, ReadonlyMap<string, Engine>>();
  let attempt = 0;

  const opened = (number: number): Partition => {
    let partition = open.get(number);
    if (!partition) {
      const onRebuild = (why: string): void =>
        onEvent({ type: 'partition-rebuilding', partition: number, why });
      open.set(
        number,
        (partition = new Partition(number, options.openCheckpoint(number), {
          ...options,
          group: GROUP,
          onRebuild,
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
    const position = await opened(number).resume();
    onEvent({
      type: 'partition-opened',
      partition: number,
      position,
      clusters: [...opened(number).engines.keys()],
    });
    return position;
  };

  const onBatch = async (batch: LogBatch): Promise<void> => {
    if (only !== undefined && batch.partition !== partitionOf(only, PARTITIONS)) return;
    const partition = open.get(batch.partition);
    if (!partition)
      throw new Failure(
        'log-partition-lost',
        `A batch of partition ${batch.partition} arrived after the partition was lost: it is assigned anew.`,
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
      if (!(error instanceof Failure && error.code === 'log-partition-lost')) throw error;
      onEvent({ type: 'partition-lost', partition: batch.partition, error: messageOf(error) });
      close(batch.partition, false);
    }
  };

  /** After a failure that may pass: the stored positions decide where reading goes on. */
  const recover = async (error: unknown, signal: AbortSignal): Promise<void> => {
    // What we stopped at is no longer in the log: the partition it happened in is found, and rebuilt, when it is opened again.
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

  return {
    async run(signal) {
      const onRevoked = (_: string, number: number): void => close(number, signal.aborted);
      while (!signal.aborted) {
        try {
          await log.consume({
            group: GROUP,
            topics: [CHANGES],
            signal,
            onBatch,
            onRevoked,
            resumeAt: (_, number) => resumeAt(number),
          });
        } catch (error) {
          for (const number of [...open.keys()]) close(number, false);
          await recover(error, signal);
        } finally {
          for (const number of [...open.keys()]) close(number, true);
        }
      }
    },
    clusters: () => [...engines.values()].flatMap((it) => [...it.keys()]),
    picture: (cluster) => engines.get(partitionOf(cluster, PARTITIONS))?.get(cluster),
    partitions: () => [...open.keys()],
    position: (number) => open.get(number)?.position,
  };
}
