import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { CHANGES, STATUS } from '@ovn-steward/shared/log/topics';
import { StatusRelay } from '../status/status-relay';
import type { Checkpoint } from '../store/checkpoint';
import type { PartitionOptions } from './partition-options';
import { isLost, relay } from './relay';

/** Publishes what a partition's checkpoint holds ready, and how far its sources are known. */
export class PartitionPublisher {
  /** What the changes before this brought about is published. */
  publishedBefore = 0n;
  readonly #status = new StatusRelay();

  constructor(
    readonly partition: number,
    readonly checkpoint: Checkpoint,
    readonly options: PartitionOptions,
  ) {}

  /**
   * What a group has committed is published, so that the next reader of the partition knows from
   * where on to judge. The commit before publishing says nothing new; it fails when another reader
   * has the partition.
   * @param next up to where the changes were read; undefined where they are not judged yet.
   */
  async publish(next: bigint | undefined): Promise<void> {
    if (this.checkpoint.outgoing(1).length > 0) {
      await this.#commit(this.publishedBefore);
      await this.relay();
    }
    if (next === undefined) return;
    await this.#commit(next);
    this.publishedBefore = next;
  }

  /** Publishes what is ready, without a commit. */
  async relay(): Promise<void> {
    await relay(this.checkpoint, { ...this.options, partition: this.partition });
  }

  /**
   * How far each source of these clusters is known, where that is due: behind all findings it is
   * about. What goes wrong holds up no findings.
   * @throws Failure `log-partition-lost`.
   */
  async publishStatus(engines: Iterable<readonly [string, Engine]>): Promise<void> {
    const { log, clock, version, onStatusUnpublished } = this.options;
    const { id: analyzer, findingsNext: findingsThrough } = this.checkpoint;
    for (const [cluster, engine] of engines) {
      const origin = { version, analyzer, findingsThrough, at: clock() };
      const records = this.#status.due(cluster, engine, origin);
      if (records.length === 0) continue;
      try {
        await this.#commit(this.publishedBefore); // fails when another reader has the partition
        await log.append(STATUS, this.partition, records);
      } catch (error) {
        this.#status.failed(cluster);
        if (isLost(error)) throw error;
        onStatusUnpublished?.(error);
      }
    }
  }

  async #commit(offset: bigint): Promise<void> {
    const { log, group } = this.options;
    await log.commit(group, [{ topic: CHANGES, partition: this.partition, offset }]);
  }
}
