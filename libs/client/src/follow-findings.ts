import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, Consumer, Kafka } from 'kafkajs';
import type { FindingChange } from './findings-table';
import type { SqliteTable, Stream } from './sqlite-table';

export interface FollowOptions {
  /** With the addresses of the brokers, and how to log in. */
  readonly kafka: Kafka;
  readonly table: SqliteTable;
  /** The consumer group. Processes with one group and one database share the partitions. */
  readonly groupId: string;
  /**
   * The names of the topics, where they are not `steward.findings.v1` and `steward.status.v1`.
   * Without `status` it is not followed.
   */
  readonly topics?: { readonly findings: string; readonly status?: string };
  /**
   * After how long the brokers give the partitions of a dead process to another, in milliseconds;
   * 45,000 by default.
   */
  readonly sessionTimeout?: number;
  /**
   * How often it is checked whether a topic was deleted and recreated, in milliseconds; 30,000 by
   * default.
   */
  readonly checkTopicsMs?: number;
  /**
   * Called after the changes are in the table. A crash in between loses the call: the table has the
   * truth.
   */
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
 * are not used: the position is in the table, where it changes in one step with the findings. A
 * topic that is deleted and recreated is read from its beginning, and what the old one said is
 * forgotten; one that already has more records than were read of the old one cannot be
 * distinguished from it.
 * @throws Error what kafkajs throws after its own retries, or what the database throws.
 */
export async function followFindings(options: FollowOptions): Promise<void> {
  const { kafka, table, groupId, topics = TOPICS, sessionTimeout = 45_000, onChanges } = options;
  const admin = kafka.admin();
  const consumer = kafka.consumer({ groupId, sessionTimeout });
  const names = [topics.findings, topics.status].filter((it) => it !== undefined);
  const streamOf = (topic: string): Stream => (topic === topics.findings ? 'findings' : 'status');
  let checking: NodeJS.Timeout | undefined;
  try {
    await bothOf(consumer.connect(), admin.connect());
    const low = new Map<string, bigint>();
    /** The partitions of each topic that this member of the group has. */
    let assigned: Readonly<Record<string, readonly number[]>> = {};
    const seek = (topic: string, partition: number): void => {
      const first = low.get(`${topic} ${partition}`) ?? 0n;
      const offset = String(table.resume(streamOf(topic), partition, first));
      consumer.seek({ topic, partition, offset });
    };
    const check = async (topic: string): Promise<void> => {
      for (const held of await heldOf(admin, topic, streamOf(topic), table)) {
        low.set(`${topic} ${held.partition}`, BigInt(held.low));
        if (held.madeAnew && assigned[topic]?.includes(held.partition)) seek(topic, held.partition);
      }
    };
    for (const topic of names) if (!(await patiently(() => check(topic), options.signal))) return;
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      assigned = payload.memberAssignment;
      for (const [topic, partitions] of Object.entries(assigned))
        for (const partition of partitions) seek(topic, partition);
    });
    await consumer.subscribe({ topics: names, fromBeginning: true });
    const ended = whenEnded(consumer, options.signal);
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: async ({ batch, resolveOffset, heartbeat, isStale }) => {
        if (isStale()) return;
        const { topic, partition, messages, highWatermark } = batch;
        const position = table.positions(streamOf(topic)).get(partition) ?? 0;
        if (position > Number(highWatermark)) await check(topic);
        const changes = table.take(streamOf(topic), partition, messages);
        resolveOffset(messages.at(-1)!.offset);
        if (changes.length > 0) onChanges?.(changes);
        await heartbeat();
      },
    });
    // A topic that is not there now is searched for again.
    const checkAll = (): void => names.forEach((topic) => void check(topic).catch(() => undefined));
    checking = setInterval(checkAll, options.checkTopicsMs ?? 30_000);
    await ended;
  } finally {
    clearInterval(checking);
    await Promise.all([consumer.disconnect(), admin.disconnect()]);
  }
}

const TRIES = 30;
const PAUSE_MS = 1000;

/**
 * Tries again while a topic has no leader, as for some moments after it was made.
 * @returns whether it was done before the signal aborted.
 */
async function patiently(
  step: () => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (let tries = 1; ; tries += 1)
    try {
      await step();
      return true;
    } catch (error) {
      if (signal?.aborted) return false;
      const isPassing = (error as { retriable?: unknown }).retriable === true;
      if (!isPassing || tries === TRIES) throw error;
      await sleep(PAUSE_MS, undefined, signal && { signal }).catch(() => undefined);
    }
}

/** Settles when both have: what one of them opened can be closed when the other fails. */
async function bothOf(...steps: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(steps);
  await Promise.all(steps);
}

/**
 * Which offsets a topic has. A position beyond the end is of a topic that was recreated: what is
 * known of it is forgotten.
 */
async function heldOf(
  admin: Admin,
  topic: string,
  stream: Stream,
  table: SqliteTable,
): Promise<readonly { partition: number; low: string; madeAnew: boolean }[]> {
  const before = table.positions(stream); // read before the end is: it may only grow in between
  const held = await admin.fetchTopicOffsets(topic);
  return held.map(({ partition, low, high }) => {
    const next = before.get(partition) ?? 0;
    const madeAnew = next > Number(high);
    if (madeAnew) table.startAnew(stream, partition, next);
    return { partition, low, madeAnew };
  });
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
