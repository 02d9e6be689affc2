import type { Admin, Consumer, Kafka } from 'kafkajs';
import type { FindingChange } from './findings-table';
import type { SqliteTable, Stream } from './sqlite-table';

export interface FollowOptions {
  /** With the addresses of the brokers, and how to log in. */
  readonly kafka: Kafka;
  readonly table: SqliteTable;
  /** The consumer group. Processes with one group and one database share the partitions. */
  readonly groupId: string;
  /** The names of the topics, where they are not `steward.findings.v1` and `steward.status.v1`. Without `status` it is not followed. */
  readonly topics?: { readonly findings: string; readonly status?: string };
  /** After how long the brokers give the partitions of a dead process to another, in milliseconds; 45,000 by default. */
  readonly sessionTimeout?: number;
  /** Called after the changes are in the table. A crash in between loses the call: the table has the truth. */
  readonly onChanges?: (changes: readonly FindingChange[]) => void;
  /** Ends the following. */
  readonly signal?: AbortSignal;
}

const TOPICS = {
  findings: 'steward.findings.v1',
  status: 'steward.status.v1',
} as const;

/**
 * Follows findings and status into the table until the signal aborts. The group's committed offsets
 * are not used: the position is in the table, where it changes in one step with the findings.
 * @throws Error what kafkajs throws after its own retries, or what the database throws.
 */
export async function followFindings(options: FollowOptions): Promise<void> {
  const { kafka, table, groupId, topics = TOPICS, sessionTimeout = 45_000, onChanges } = options;
  const admin = kafka.admin();
  const consumer = kafka.consumer({ groupId, sessionTimeout });
  const names = [topics.findings, topics.status].filter((it) => it !== undefined);
  const streamOf = (topic: string): Stream => (topic === topics.findings ? 'findings' : 'status');
  await Promise.all([consumer.connect(), admin.connect()]);
  try {
    const low = new Map<string, bigint>();
    for (const topic of names)
      for (const it of await heldOf(admin, topic, streamOf(topic), table))
        low.set(`${topic} ${it.partition}`, BigInt(it.low));
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      for (const [topic, partitions] of Object.entries(payload.memberAssignment))
        for (const partition of partitions) {
          const first = low.get(`${topic} ${partition}`) ?? 0n;
          const offset = String(table.resume(streamOf(topic), partition, first));
          consumer.seek({ topic, partition, offset });
        }
    });
    await consumer.subscribe({ topics: names, fromBeginning: true });
    const ended = whenEnded(consumer, options.signal);
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: async ({ batch, resolveOffset, heartbeat, isStale }) => {
        if (isStale()) return;
        const { topic, partition, messages } = batch;
        const changes = table.take(streamOf(topic), partition, messages);
        resolveOffset(messages.at(-1)!.offset);
        if (changes.length > 0) onChanges?.(changes);
        await heartbeat();
      },
    });
    await ended;
  } finally {
    await Promise.all([consumer.disconnect(), admin.disconnect()]);
  }
}

/** Which offsets a topic has. A position beyond the end is of a topic that was recreated: it is read from its beginning. */
async function heldOf(
  admin: Admin,
  topic: string,
  stream: Stream,
  table: SqliteTable,
): ReturnType<Admin['fetchTopicOffsets']> {
  const before = table.positions(stream); // read before the end is: it may only grow in between
  const held = await admin.fetchTopicOffsets(topic);
  for (const { partition, high } of held) {
    const next = before.get(partition) ?? 0;
    if (next > Number(high)) table.startAnew(stream, partition, next);
  }
  return held;
}

/** Settles when the signal aborts; rejects where the consumer gives up. */
const whenEnded = (consumer: Consumer, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => resolve(), { once: true });
    if (signal?.aborted) resolve();
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (!payload.restart) reject(payload.error);
    });
  });
