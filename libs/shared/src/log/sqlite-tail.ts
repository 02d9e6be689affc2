import { setImmediate } from 'node:timers/promises';
import type { ConsumeOptions } from './log';
import { revokeEach } from './revoke-each';
import type { ReadBatch } from './sqlite-read';
import type { StoredPartition } from './sqlite-topics';
import type { Wake } from './wake';

const MAX_RECORDS = 500;

export interface TailSource {
  readonly partitions: readonly StoredPartition[];
  readonly read: ReadBatch;
  readonly appended: Wake;
  /** Aborted when the caller or the log ends. */
  readonly signal: AbortSignal;
}

interface Place {
  readonly partition: StoredPartition;
  position: bigint;
}

/**
 * Follows the partitions in turn, a batch of each, and sleeps when there is nothing new. No
 * partition is revoked before the end. Throws why the reading ended, before what `onRevoked` throws
 * then.
 */
export async function tail(options: ConsumeOptions, source: TailSource): Promise<void> {
  const places: Place[] = [];
  const revokeAll = (): Promise<void> =>
    revokeEach(places, ({ partition: { topic, number } }) =>
      options.onRevoked?.(topic.name, number),
    );
  try {
    for (const partition of source.partitions)
      places.push({
        partition,
        position: await options.resumeAt(partition.topic.name, partition.number),
      });
    await follow(places, options, source);
  } catch (error) {
    await revokeAll().catch(() => undefined);
    throw error;
  }
  await revokeAll();
}

async function follow(
  places: readonly Place[],
  { onBatch, maxRecords = MAX_RECORDS }: ConsumeOptions,
  { read, appended, signal }: TailSource,
): Promise<void> {
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
