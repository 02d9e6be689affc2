import { ascendingBy } from '@ovn-steward/shared/compare';
import { readChange } from '@ovn-steward/analyzer';
import { changeName } from '@ovn-steward/contracts/changes/change-name';
import type { Change } from '@ovn-steward/contracts/changes/change';
import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import { grouped } from '@ovn-steward/shared/grouped';
import type { Log, LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';

const READ_RECORDS = 1000;

/**
 * The last record under a key, which readers refuse: compaction keeps it, and every reader that
 * begins again meets it again.
 */
export interface PoisonedKey {
  readonly key: string;
  readonly offset: bigint;
  /** A clause for a person. */
  readonly why: string;
  /** A later version wrote it, and can read it: it is no mistake, and stays. */
  readonly later: boolean;
}

export interface PoisonedStream {
  readonly stream: string;
  readonly source: SourceId;
  readonly keys: readonly PoisonedKey[];
  /** What is believed of it; undefined for a stream without any record that can be believed. */
  readonly heard: BelievedStream | undefined;
}

export interface BelievedStream {
  /** The greatest epoch that is believed. */
  readonly epoch: number;
  /** As last named; empty where none were. */
  readonly kinds: readonly string[];
}

/** What is to be buried: all that no version can read. */
export const buriable = ({ keys }: PoisonedStream): readonly PoisonedKey[] =>
  keys.filter((it) => !it.later);

/**
 * The epoch in which the stream is published as unavailable: the next after all that is believed.
 * Undefined where nothing is, or nothing is buried, so that nothing has to be published.
 */
export const healingEpoch = (poisonedStream: PoisonedStream): number | undefined =>
  poisonedStream.heard && buriable(poisonedStream).length > 0
    ? poisonedStream.heard.epoch + 1
    : undefined;

/**
 * The streams of a cluster with keys whose last record readers refuse, by the stream's name. Reads
 * the cluster's partition once, from its beginning.
 * @param only this stream.
 * @throws as `Log.read` does.
 */
export async function poisonedStreams(
  log: Pick<Log, 'read' | 'watermarks'>,
  cluster: string,
  only?: string,
): Promise<readonly PoisonedStream[]> {
  const poisoned = new Map<string, PoisonedKey>();
  const heard = new Map<string, BelievedStream>();
  const partition = partitionOf(cluster, PARTITIONS);
  const { high } = await log.watermarks(CHANGES, partition);
  for (let from = 0n; from < high;) {
    const { records, next } = await log.read(CHANGES, partition, from, READ_RECORDS);
    for (const record of records)
      if (changeName(record.key)?.cluster === cluster) take(record, poisoned, heard);
    if (next <= from) break;
    from = next;
  }
  return [...grouped(poisoned.values(), ({ key }) => changeName(key)!.stream)]
    .filter(([stream]) => (only ?? stream) === stream)
    .map(([stream, keys]) => ({
      stream,
      source: changeName(keys[0]!.key)!.source,
      keys,
      heard: heard.get(stream),
    }))
    .sort(ascendingBy((it) => it.stream));
}

function take(
  record: LogRecord,
  poisoned: Map<string, PoisonedKey>,
  heard: Map<string, BelievedStream>,
): void {
  const { key, offset } = record;
  const read = readChange(record, { topic: CHANGES, partition: ownPartition(key) });
  if ('poison' in read) {
    poisoned.set(key, { key, offset, why: read.poison, later: read.later === true });
    return;
  }
  poisoned.delete(key); // what came later stands there now
  if (!('input' in read) || read.input.type === 'unreadable') return;
  const change: Change = read.input.type === 'replayed' ? read.input.change : read.input;
  const before = heard.get(change.stream);
  heard.set(change.stream, {
    epoch: Math.max(before?.epoch ?? 0, change.epoch),
    kinds: 'kinds' in change ? change.kinds : (before?.kinds ?? []),
  });
}

const ownPartition = (key: string): number => partitionOf(changeName(key)!.cluster, PARTITIONS);
