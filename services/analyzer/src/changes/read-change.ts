import type { Change } from '@ovn-steward/contracts/changes/change';
import { decodeChange } from '@ovn-steward/contracts/changes/change-codec';
import { changeName } from '@ovn-steward/contracts/changes/change-name';
import { isUnreadStream } from '@ovn-steward/shared/kinds';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { readObject, strayed } from './read-object';
import type { WorldInput, Unreadable } from '@ovn-steward/judgement/world/world-input';

/** Where a record was read. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/**
 * A record of the changes topic: what it says and of which cluster, or why it cannot be read. A
 * poison under a key of ours means that something is not known. `later`: it is as valid as any, and
 * a later version can read it.
 */
export type ReadChange =
  | { readonly cluster: string; readonly input: WorldInput }
  | { readonly skipped: true }
  | {
      readonly poison: string;
      readonly cluster?: string;
      readonly input?: Unreadable;
      readonly later?: true;
    };

/**
 * Reads one record. Never throws: what is no change, stands under a key or in a partition that is
 * not its own, says what its writer cannot have yet, or holds what no such row or object can is
 * poison with the reason, for the dead-letter topic. So is a change of a type that only a later
 * version knows: this version does not know what it does to the stream. Records of kinds that only
 * earlier versions read are passed over, and so are those of a source that only a later one knows.
 */
export function readChange(record: LogRecord, { topic, partition }: TopicPartition): ReadChange {
  const name = changeName(record.key);
  if (name && isUnreadStream(name.stream)) return { skipped: true };
  const at = `${topic}/${partition}/${record.offset}`;
  const read = decodeChange(record);
  if ('forgotten' in read) return { skipped: true };
  if ('poison' in read) return poison(record, at, read.poison, read.forged === true);
  if ('later' in read)
    return read.of === undefined
      ? { ...poison(record, at, read.later, false), later: true }
      : { skipped: true };
  if ('tombstone' in read) return emptied(record, at, read.tombstone, partition);
  const foreign = misplaced(record.key, read.change, partition);
  if (foreign !== undefined) return poison(record, at, foreign, false);
  const change = readObject(read.change);
  if (typeof change === 'string') return poison(record, at, change, false);
  return {
    cluster: change.cluster,
    input: read.replayed ? { type: 'replayed', change, stream: change.stream } : change,
  };
}

/** Why it is not where such a change belongs: in its stream, in the partition of its cluster. */
function misplaced(key: string, change: Change, partition: number): string | undefined {
  const stray = strayed(change);
  if (stray !== undefined) return stray;
  const stream = changeName(key)!.stream;
  if (stream !== change.stream)
    return `its stream is ${change.stream}, and ${key} belongs to ${stream}`;
  const own = partitionOf(change.cluster, PARTITIONS);
  return own === partition
    ? undefined
    : `changes of cluster ${change.cluster} belong to partition ${own}`;
}

/**
 * The next heartbeat repeats all that an unreadable one said. One that no collector can have sent
 * is another matter: a writer that forges one may forge others. Anything else leaves a gap in any
 * case.
 */
function poison(
  { key }: LogRecord,
  at: string,
  why: string,
  isForged: boolean,
): Extract<ReadChange, { poison: string }> {
  const name = changeName(key);
  if (!name || (name.kind === '_heartbeat' && !isForged)) return { poison: why };
  const { cluster, ...what } = name;
  return { poison: why, cluster, input: { type: 'unreadable', ...what, at, why } };
}

/** A tombstone says nothing the deletion before it did not say, unless that could not be read. */
function emptied(record: LogRecord, at: string, change: Change, partition: number): ReadChange {
  const why = misplaced(record.key, change, partition);
  return why === undefined
    ? { cluster: change.cluster, input: change }
    : poison(record, at, why, true);
}
