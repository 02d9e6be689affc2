import type { LogBatch, LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { readChange } from '../changes/read-change';
import type { WorldInput } from '@ovn-steward/judgement/world/world-input';

export interface SortOptions {
  /** Records of other clusters are passed over. */
  readonly only: string | undefined;
  /** Changes from this offset on are judged. */
  readonly judgedFrom: bigint;
  /** What cannot be read from this offset on was not set aside yet. */
  readonly publishedBefore: bigint;
}

/**
 * What a batch says, by cluster: before and after the offset from which on it is judged, and what
 * of it cannot be read, with the reason.
 */
export interface Sorted {
  readonly before: ReadonlyMap<string, readonly WorldInput[]>;
  readonly after: ReadonlyMap<string, readonly WorldInput[]>;
  readonly unreadable: readonly { readonly record: LogRecord; readonly why: string }[];
}

export function sortBatch(
  batch: LogBatch,
  { only, judgedFrom, publishedBefore }: SortOptions,
): Sorted {
  const before = new Map<string, WorldInput[]>();
  const after = new Map<string, WorldInput[]>();
  const unreadable: { record: LogRecord; why: string }[] = [];
  /** Whose records have a place here, and are wanted. */
  const isOurs = (cluster: string): boolean =>
    (only ?? cluster) === cluster && partitionOf(cluster, PARTITIONS) === batch.partition;
  for (const record of batch.records) {
    const read = readChange(record, batch);
    // What was published before needs no second letter.
    if ('poison' in read && record.offset >= publishedBefore)
      unreadable.push({ record, why: read.poison });
    if (!('input' in read) || read.input === undefined || !isOurs(read.cluster!)) continue;
    const into = record.offset < judgedFrom ? before : after;
    const inputs = into.get(read.cluster!);
    if (inputs) inputs.push(read.input);
    else into.set(read.cluster!, [read.input]);
  }
  return { before, after, unreadable };
}
