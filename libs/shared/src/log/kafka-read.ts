import { type Cluster, KafkaJSOffsetOutOfRange } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../errors';
import type { KafkaClient, KafkaConnection } from './kafka-client';
import { isHopeless } from './kafka-failure';
import { openCluster } from './kafka-read-cluster';
import { type Fetched, fetchOnce } from './kafka-read-fetch';
import { startOf } from './kafka-read-start';
import type { LogBatch } from './log';

/** What one answer may weigh: about as many records as requested, at 2 KiB each. */
const RECORD_BYTES = 2048;
const LEAST_BYTES = 65_536;
const MOST_BYTES = 1_048_576;
/** What was fetched beyond what was requested is kept for so many partitions. */
const KEPT = 4;
/** And for so long. */
const KEPT_MS = 5000;
const MAX_PAUSE_MS = 2000;

interface Leftover extends Fetched {
  readonly from: bigint;
  readonly until: number;
}

interface Opened {
  readonly client: KafkaClient;
  readonly cluster: Promise<Cluster>;
}

/** What is read, and the most bytes of one answer. */
interface Wanted {
  readonly topic: string;
  readonly partition: number;
  readonly bytes: number;
}

/**
 * Reads from the caller's position, without a consumer group: straight from the partition's leader,
 * found again when it has moved.
 */
export class KafkaReader {
  readonly #connection: KafkaConnection;
  readonly #leftovers = new Map<string, Leftover>();
  #opened: Opened | undefined;

  constructor(connection: KafkaConnection) {
    this.#connection = connection;
  }

  async read(topic: string, partition: number, from: bigint, max: number): Promise<LogBatch> {
    await this.#connection.requirePartition(topic, partition);
    const key = `${topic}/${partition}`;
    const bytes = Math.min(Math.max(max * RECORD_BYTES, LEAST_BYTES), MOST_BYTES);
    const found =
      this.#leftover(key, from) ?? (await this.#fetchFrom({ topic, partition, bytes }, from));
    const records = found.records.slice(0, max);
    const rest = found.records.slice(max);
    const last = records.at(-1);
    if (rest.length === 0 || !last) return { topic, partition, records, next: found.next };
    const next = last.offset + 1n;
    this.#leftovers.set(key, {
      records: rest,
      next: found.next,
      high: found.high,
      from: next,
      until: Date.now() + KEPT_MS,
    });
    forgetOldest(this.#leftovers);
    return { topic, partition, records, next };
  }

  async close(): Promise<void> {
    this.#leftovers.clear();
    if (this.#opened) this.#giveUp(this.#opened);
  }

  /** What was fetched beyond the last read, if that ended here. It is kept no longer. */
  #leftover(key: string, from: bigint): Leftover | undefined {
    const kept = this.#leftovers.get(key);
    this.#leftovers.delete(key);
    return kept?.from === from && Date.now() < kept.until ? kept : undefined;
  }

  #open(): Opened {
    if (this.#opened) return this.#opened;
    const connection = this.#connection;
    const client = connection.client();
    const cluster = openCluster(client.kafka);
    return (this.#opened = {
      client,
      cluster: connection
        .within(2 * connection.timing.connectMs, 'Connecting a reader', cluster.connect())
        .then(() => cluster),
    });
  }

  #giveUp(used: Opened): void {
    used.client.cut();
    if (this.#opened === used) this.#opened = undefined;
  }

  async #fetchFrom(wanted: Wanted, from: bigint): Promise<Fetched> {
    const connection = this.#connection;
    const { timing } = connection;
    const { topic, partition } = wanted;
    const what = `Reading ${topic}/${partition}`;
    const end = performance.now() + timing.queryMs;
    let start = from;
    let pause = timing.retryMs;
    for (let tries = 1; ; tries += 1) {
      const used = this.#open();
      try {
        return await connection.within(
          end - performance.now(),
          what,
          this.#fetchSome(used, wanted, start, end),
        );
      } catch (error) {
        if (error instanceof KafkaJSOffsetOutOfRange)
          start = startOf(topic, partition, from, await connection.watermarks(topic, partition));
        else this.#giveUp(used);
        if (!this.#isWorthRetry(error, tries, what) || performance.now() + pause > end)
          throw connection.failure(error, what);
      }
      await sleep(pause);
      pause = Math.min(2 * pause, MAX_PAUSE_MS);
    }
  }

  #isWorthRetry(error: unknown, tries: number, what: string): boolean {
    if (this.#connection.closed.aborted) return false;
    if (error instanceof KafkaJSOffsetOutOfRange) return true;
    const { code } = this.#connection.failure(error, what);
    return (
      (code === 'log-unavailable' && !isHopeless(error)) ||
      (code === 'log-topic-unknown' && tries === 1) // a leader that moved may not be known yet
    );
  }

  /** Until there is a record, or nothing more to read. */
  async #fetchSome(
    used: Opened,
    { topic, partition, bytes }: Wanted,
    from: bigint,
    end: number,
  ): Promise<Fetched> {
    const { timing } = this.#connection;
    const cluster = await used.cluster;
    await cluster.addMultipleTargetTopics([topic]);
    for (let position = from; performance.now() < end;) {
      const fetched = await fetchOnce(cluster, topic, partition, position, bytes);
      if (fetched.records.length > 0 || fetched.next >= fetched.high) return fetched;
      if (fetched.next === position) await sleep(timing.retryMs); // a quota lets brokers answer with nothing
      position = fetched.next;
    }
    throw new Failure(
      'log-unavailable',
      `Reading ${topic}/${partition} at ${from} was answered without a record in ${timing.queryMs} ms. Try again; see to the quotas of the brokers.`,
    );
  }
}

function forgetOldest(leftovers: Map<string, Leftover>): void {
  for (const key of leftovers.keys()) if (leftovers.size > KEPT) leftovers.delete(key);
}
