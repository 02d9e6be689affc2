import { pause } from '@ovn-steward/shared/pause';
import { doublingBackOff } from '@ovn-steward/shared/back-off';
import { Failure, messageOf, retryOf } from '@ovn-steward/shared/errors';
import { createLanes } from '@ovn-steward/shared/lane';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { eachSecond } from '../decided/suppressions-by-partition';
import type { AnalyzedCluster } from './analyzed-cluster';
import type { AnalyzerOptions } from './analyzer-options';
import { GROUP, OpenPartitions } from './open-partitions';

/**
 * The most records judged, saved and published at once, where so many wait: each batch waits for the
 * disk, and a thing that changed twice in it is judged once. They are folded without a pause, in
 * some 100 ms.
 */
const BATCH_RECORDS = 2000;

/** changes → world → rules → findings, for every cluster of every partition it is given. */
export class Analyzer {
  readonly #options: AnalyzerOptions;
  readonly #partitions: OpenPartitions;
  readonly #inTurn = createLanes<number>();
  /** Failures since the last batch that was published. */
  #failures = 0;

  constructor(options: AnalyzerOptions) {
    this.#options = options;
    this.#partitions = new OpenPartitions(options);
  }

  /**
   * Follows the changes of the partitions it is given until the signal fires.
   * @throws Failure that trying again cannot mend.
   */
  async run(signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const applying = eachSecond(
      () => this.#partitions.applySuppressions(this.#inTurn),
      AbortSignal.any([signal, ended.signal]),
    );
    try {
      while (!signal.aborted) await this.#consume(signal);
    } finally {
      ended.abort();
      await applying;
    }
  }

  /** Every cluster with records in the partitions held. */
  clusters(): readonly string[] {
    return [...this.#partitions.engines.values()].flatMap((it) => [...it.keys()]);
  }

  /** Undefined for a cluster without records here. Stays readable after `run` has ended. */
  picture(cluster: string): AnalyzedCluster | undefined {
    return this.#partitions.engines.get(partitionOf(cluster, PARTITIONS))?.get(cluster);
  }

  /** The partitions held. */
  partitions(): readonly number[] {
    return this.#partitions.numbers();
  }

  /** Up to where a partition was read and saved; undefined when it is not held. */
  position(partition: number): bigint | undefined {
    return this.#partitions.position(partition);
  }

  /** Reads on until the signal fires or reading fails. */
  async #consume(signal: AbortSignal): Promise<void> {
    const partitions = this.#partitions;
    try {
      await this.#options.log.consume({
        group: GROUP,
        topics: [CHANGES],
        maxRecords: BATCH_RECORDS,
        signal,
        onBatch: (batch) =>
          this.#inTurn(batch.partition, async () => {
            if (await partitions.take(batch)) this.#failures = 0;
          }),
        onRevoked: (_, partition) => partitions.close(partition, signal.aborted),
        resumeAt: (_, partition) => this.#inTurn(partition, () => partitions.resumeAt(partition)),
      });
    } catch (error) {
      partitions.closeAll(false);
      await this.#recover(error, signal);
    } finally {
      partitions.closeAll(true);
    }
  }

  /** After a failure that may pass: the stored positions decide where reading goes on. */
  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    // The stored position was deleted from the log: the partition is rebuilt when it is opened again
    // (`resumeAt`).
    const isLost = error instanceof Failure && error.code === 'log-position-lost';
    if (!isLost && retryOf(error, 'later') === 'never') throw error;
    const { backOff = doublingBackOff, onEvent } = this.#options;
    this.#failures += 1;
    const retryInMs = backOff(this.#failures);
    onEvent?.({
      type: 'failed',
      error: messageOf(error),
      ...(error instanceof Failure ? { code: error.code } : {}),
      retryInMs,
    });
    await pause(retryInMs, signal);
  }
}
