import { setImmediate } from 'node:timers/promises';
import type { ConsumeOptions } from './log';
import type { ReadBatch } from './sqlite-read';
import type { Partition } from './sqlite-topics';
import type { Wake } from './wake';

const MAX_RECORDS = 500;

export interface TailSource {
  readonly partitions: readonly Partition[];
  readonly read: ReadBatch;
  readonly appended: Wake;
  /** Aborted when the caller or the log ends. */
  readonly signal: AbortSignal;
}

/** Follows the partitions in turn, a batch of each, and sleeps when there is nothing new. */
export async function tail({ resumeAt, onBatch, maxRecords = MAX_RECORDS }: ConsumeOptions, { partitions, read, appended, signal }: TailSource): Promise<void> {
  const places: { readonly partition: Partition; position: bigint }[] = [];
  for (const partition of partitions) places.push({ partition, position: await resumeAt(partition.topic.name, partition.number) });

  while (!signal.aborted) {
    let idle = true;
    for (const place of places) {
      if (signal.aborted) return;
      if (place.position === BigInt(place.partition.high)) continue;
      const batch = read(place.partition, place.position, maxRecords);
      if (batch.records.length > 0) await onBatch(batch);
      place.position = batch.next;
      idle = false;
      await setImmediate(); // reading is synchronous: let timers and appends run between batches
    }
    if (idle) await appended.wait(signal); // an idle round awaits nothing, so no append was missed
  }
}
