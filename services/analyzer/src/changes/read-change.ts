import { REPLAY_OF } from '@ovn-steward/contracts/dead-letters/replay-dead-letter';
import { Change } from '@ovn-steward/contracts/changes/change';
import { implausible } from '@ovn-steward/contracts/changes/change-bounds';
import { changeName, isNews, keyContradiction } from '@ovn-steward/contracts/changes/change-name';
import { messageOf } from '@ovn-steward/shared/errors';
import { isUnreadStream } from '@ovn-steward/shared/kinds';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { readObject, strayed } from './read-object';
import type { WorldInput, Unreadable } from '@ovn-steward/judgement/world/world-input';

/** Where a record was read. */
export interface ReadFrom {
  readonly topic: string;
  readonly partition: number;
}

/** A record of the changes topic: what it tells and of which cluster, or why it cannot be read. A poison under a key of ours tells that something is not known. */
export type Read =
  | { readonly cluster: string; readonly told: WorldInput }
  | { readonly skipped: true }
  | { readonly poison: string; readonly cluster?: string; readonly told?: Unreadable };

/**
 * Reads one record. Never throws: what is no change, stands under a key or in a partition that is not its own, tells what its writer cannot have
 * yet, or holds what no such row or object can is poison with the reason, for the dead-letter topic. Records of kinds that only earlier
 * versions read are passed over.
 */
export function readChange(record: LogRecord, { topic, partition }: ReadFrom): Read {
  const name = changeName(record.key);
  if (name && isUnreadStream(name.stream)) return { skipped: true };
  const at = `${topic}/${partition}/${record.offset}`;
  if (record.value === null) return buried(record, at, partition) ?? { skipped: true };
  const parsed = parse(record.value);
  if (typeof parsed === 'string') return poison(record, at, parsed, false);
  const foreign = misplaced(record.key, parsed, partition);
  if (foreign !== undefined) return poison(record, at, foreign, false);
  const unbelievable = implausible(parsed, record.timestamp);
  if (unbelievable !== undefined) return poison(record, at, unbelievable, true);
  const change = readObject(parsed);
  if (typeof change === 'string') return poison(record, at, change, false);
  return {
    cluster: change.cluster,
    told: Object.hasOwn(record.headers, REPLAY_OF)
      ? { type: 'replayed', change, stream: change.stream }
      : change,
  };
}

function parse(value: Buffer): Change | string {
  try {
    const { success, data, error } = Change.safeParse(JSON.parse(value.toString('utf8')));
    if (success) return data;
    const [issue] = error.issues;
    return `it is no change of version 1: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim();
  } catch (error) {
    return `it is not JSON: ${messageOf(error)}`;
  }
}

/** Why it is not where such a change belongs: under its key, in its stream, in the partition of its cluster. */
function misplaced(key: string, change: Change, partition: number): string | undefined {
  const wrong = keyContradiction(key, change);
  if (wrong !== undefined) return wrong;
  const stray = strayed(change);
  if (stray !== undefined) return stray;
  const stream = changeName(key)!.stream;
  if (stream !== change.stream)
    return `its stream is ${change.stream}, and ${key} belongs to ${stream}`;
  const own = partitionOf(change.cluster, PARTITIONS);
  return own === partition
    ? undefined
    : `changes of cluster ${change.cluster} belong into partition ${own}`;
}

/**
 * The next heartbeat says all that one said which nobody can read. One that nobody can have sent is another matter: who forges one
 * may forge others. Anything else leaves a hole in any case.
 */
function poison({ key }: LogRecord, at: string, why: string, isForged: boolean): Read {
  const name = changeName(key);
  if (!name || (name.kind === '_heartbeat' && !isForged)) return { poison: why };
  const { cluster, ...what } = name;
  return { poison: why, cluster, told: { type: 'unreadable', ...what, at, why } };
}

/** A tombstone says nothing the deletion before it did not say, unless that could not be read. */
function buried(record: LogRecord, at: string, partition: number): Read | undefined {
  const { key, headers, timestamp } = record;
  const name = changeName(key);
  if (!name || isNews(name.kind)) return undefined;
  const { success, data } = Change.safeParse({
    type: 'delete',
    version: 1,
    id: headers['id'],
    ...name,
    stream: headers['stream'],
    epoch: Number(headers['epoch']),
    seq: Number(headers['seq']),
    cursor: '',
    observedAt: new Date(timestamp).toISOString(),
    name: '',
  });
  if (!success) return undefined;
  const why = misplaced(key, data, partition) ?? implausible(data, timestamp);
  return why === undefined ? { cluster: name.cluster, told: data } : poison(record, at, why, true);
}
