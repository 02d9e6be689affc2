import type { Cluster, KafkaMessage } from 'kafkajs';
import { Failure } from '../errors';
import { batchEnd, isMarker, recordOf, transactionOf } from './kafka-read-record';
import type { LogRecord } from './log';

/** What one answer of a broker holds. */
export interface Fetched {
  readonly records: readonly LogRecord[];
  /** Where reading continues; the same position when nothing came. */
  readonly next: bigint;
  /** Up to which readers may see. */
  readonly high: bigint;
}

interface AbortedTransaction {
  readonly producerId: string;
  readonly firstOffset: string;
}

interface FetchAnswer {
  readonly responses: readonly { readonly partitions: readonly FetchedPartition[] }[];
}

interface FetchedPartition {
  readonly lastStableOffset: string;
  readonly abortedTransactions: readonly AbortedTransaction[] | null;
  readonly messages: readonly KafkaMessage[];
}

const READ_COMMITTED = 1;

/**
 * Without what others wrote in transactions and took back. The messages are in order, and so are
 * the transactions' beginnings.
 */
function committed(
  messages: readonly KafkaMessage[],
  aborted: readonly AbortedTransaction[],
): readonly KafkaMessage[] {
  if (aborted.length === 0) return messages.filter((message) => !isMarker(message));
  const waiting = [...aborted].sort((a, b) =>
    Number(BigInt(a.firstOffset) - BigInt(b.firstOffset)),
  );
  const open = new Set<string>();
  return messages.filter((message) => {
    while (waiting[0] && BigInt(message.offset) >= BigInt(waiting[0].firstOffset))
      open.add(waiting.shift()?.producerId ?? '');
    const producer = transactionOf(message);
    if (producer !== undefined && isMarker(message)) open.delete(producer);
    return !isMarker(message) && (producer === undefined || !open.has(producer));
  });
}

/**
 * Fetches from the partition's leader once, without waiting for records to come: some `bytes` from
 * `from` on, but a whole batch at least. Throws what kafkajs throws; Failure `log-topic-unknown`
 * when there is no such partition.
 */
export async function fetchOnce(
  cluster: Cluster,
  topic: string,
  partition: number,
  from: bigint,
  bytes: number,
): Promise<Fetched> {
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  if (nodeId === undefined)
    throw new Failure('log-topic-unknown', `Topic ${topic} has no partition ${partition}.`);
  const broker = await cluster.findBroker({ nodeId });
  const answer = (await broker.fetch({
    isolationLevel: READ_COMMITTED,
    maxWaitTime: 0,
    minBytes: 0,
    maxBytes: bytes,
    topics: [{ topic, partitions: [{ partition, fetchOffset: `${from}`, maxBytes: bytes }] }],
  })) as FetchAnswer;
  const found = answer.responses[0]?.partitions[0];
  if (!found) return { records: [], next: from, high: from + 1n };
  const high = BigInt(found.lastStableOffset);
  const first = found.messages.findIndex(({ offset }) => BigInt(offset) >= from); // a batch comes whole, also what is before
  const messages = first < 0 ? [] : found.messages.slice(first);
  const last = found.messages.at(-1);
  const end = last ? batchEnd(last) : from;
  return {
    records: committed(messages, found.abortedTransactions ?? []).map(recordOf),
    next: end > from ? end : from,
    high,
  };
}
