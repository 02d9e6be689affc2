import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { createLanes } from '@ovn-steward/shared/lane';
import type { LogBatch } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { SuppressionsByPartition } from '../decided/suppressions-by-partition';
import type { AnalyzerEvent, AnalyzerOptions } from './analyzer-options';
import { Partition } from './partition';
import { isLost } from './relay';

/** Of the analyzers that share the partitions. */
export const GROUP = 'steward-analyzer';

/** The partitions that an analyzer holds: opened when assigned, closed when lost. */
export class OpenPartitions {
  /** By partition and cluster. Of the partitions held, or held last when reading ended. */
  readonly engines = new Map<number, ReadonlyMap<string, Engine>>();
  readonly #open = new Map<number, Partition>();
  readonly #options: AnalyzerOptions;
  readonly #onEvent: (event: AnalyzerEvent) => void;
  readonly #decided: SuppressionsByPartition;

  constructor(options: AnalyzerOptions) {
    this.#options = options;
    this.#onEvent = options.onEvent ?? (() => {});
    this.#decided = new SuppressionsByPartition({
      ...options,
      onUnread: (partition, error) => this.#onEvent({ type: 'decisions-unread', partition, error }),
    });
  }

  numbers(): readonly number[] {
    return [...this.#open.keys()];
  }

  /** Up to where a partition was read and saved; undefined when it is not held. */
  position(number: number): bigint | undefined {
    return this.#open.get(number)?.position;
  }

  /** Opens the partition, and says where reading it is to go on. */
  async resumeAt(number: number): Promise<bigint> {
    if (!this.#isWanted(number)) return (await this.#options.log.watermarks(CHANGES, number)).high;
    const partition = this.#opened(number);
    await this.#decided.changed(number);
    const position = await partition.resume();
    this.#onEvent({
      type: 'partition-opened',
      partition: number,
      position,
      clusters: [...this.#opened(number).engines.keys()],
    });
    return position;
  }

  /**
   * Folds and judges a batch, and publishes what it brought about. Says whether that was done: not
   * where another analyzer has the partition now.
   */
  async take(batch: LogBatch): Promise<boolean> {
    if (!this.#isWanted(batch.partition)) return false;
    const partition = this.#open.get(batch.partition);
    if (!partition)
      throw new Failure(
        'log-partition-lost',
        `A batch of partition ${batch.partition} arrived after the partition was lost: it is assigned again.`,
      );
    const began = performance.now();
    try {
      const { deadLetters } = await partition.take(batch);
      this.#options.onBatch?.({
        partition: batch.partition,
        records: batch.records.length,
        deadLetters,
        seconds: (performance.now() - began) / 1000,
        next: batch.next,
      });
      return true;
    } catch (error) {
      if (!isLost(error)) throw error;
      this.#lost(batch.partition, error);
      return false;
    }
  }

  /**
   * Publishes what people suppressed since, and which of it is over, in every partition held.
   * @param inTurn runs what changes a partition after what was begun in it before.
   */
  async applySuppressions(inTurn: ReturnType<typeof createLanes<number>>): Promise<void> {
    for (const [number, partition] of this.#open)
      if (await this.#decided.changed(number))
        await inTurn(number, async () => {
          if (this.#open.get(number) === partition) await partition.applySuppressions();
        }).catch((error: unknown) => {
          // The next batch publishes what could not be published, or the analyzer that has the
          // partition now.
          if (this.#open.get(number) === partition && isLost(error)) this.#lost(number, error);
        });
  }

  /** @param keepPicture what is known of its clusters stays readable. */
  close(number: number, keepPicture: boolean): void {
    if (!keepPicture) this.engines.delete(number);
    const partition = this.#open.get(number);
    if (!partition) return;
    partition.close();
    this.#open.delete(number);
    this.#onEvent({ type: 'partition-closed', partition: number });
  }

  closeAll(keepPicture: boolean): void {
    for (const number of this.numbers()) this.close(number, keepPicture);
  }

  #isWanted(number: number): boolean {
    const { only } = this.#options;
    return only === undefined || number === partitionOf(only, PARTITIONS);
  }

  #opened(number: number): Partition {
    const held = this.#open.get(number);
    if (held) return held;
    const partition = new Partition(number, this.#options.openCheckpoint(number), {
      ...this.#options,
      group: GROUP,
      onRebuild: (why) => this.#onEvent({ type: 'partition-rebuilding', partition: number, why }),
      onStatusUnpublished: (error) =>
        this.#onEvent({
          type: 'status-unpublished',
          partition: number,
          error: messageOf(error),
        }),
      suppressions: (cluster) => this.#decided.of(number, cluster),
    });
    this.#open.set(number, partition);
    this.engines.set(number, partition.engines);
    return partition;
  }

  /** The partition is another's from here on. */
  #lost(number: number, error: unknown): void {
    this.#onEvent({ type: 'partition-lost', partition: number, error: messageOf(error) });
    this.close(number, false);
  }
}
