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
const [LEAST_BYTES, MOST_BYTES] = [65_536, 1_048_576];
/** What was fetched beyond what was requested is kept for so many partitions, so long. */
const [KEPT, KEPT_MS] = [4, 5000];
const MAX_PAUSE_MS = 2000;

interface Leftover extends Fetched {
  readonly from: bigint;
  readonly until: number;
}

interface Opened {
  readonly client: KafkaClient;
  readonly cluster: Promise<Cluster>;
}

export interface KafkaReader {
  read(topic: string, partition: number, from: bigint, max: number): Promise<LogBatch>;
  close(): Promise<void>;
}

/**
 * Reads from the caller's position, without a consumer group: straight from the partition's leader,
 * found again when it has moved.
 */
export function createKafkaReader(connection: KafkaConnection): KafkaReader {
  const { timing } = connection;
  const leftovers = new Map<string, Leftover>();
  let opened: Opened | undefined;

  const open = (): Opened => {
    if (opened) return opened;
    const client = connection.client();
    const cluster = openCluster(client.kafka);
    return (opened = {
      client,
      cluster: connection
        .within(2 * timing.connectMs, 'Connecting a reader', cluster.connect())
        .then(() => cluster),
    });
  };
  const giveUp = (used: Opened): void => {
    used.client.cut();
    if (opened === used) opened = undefined;
  };

  /** Until there is a record, or nothing more to read. */
  const fetchSome = async (
    used: Opened,
    topic: string,
    partition: number,
    from: bigint,
    bytes: number,
    end: number,
  ): Promise<Fetched> => {
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
  };

  const fetchFrom = async (
    topic: string,
    partition: number,
    from: bigint,
    bytes: number,
  ): Promise<Fetched> => {
    const what = `Reading ${topic}/${partition}`;
    const end = performance.now() + timing.queryMs;
    let start = from;
    for (
      let [pause, tries] = [timing.retryMs, 1];
      ;
      pause = Math.min(2 * pause, MAX_PAUSE_MS), tries += 1
    ) {
      const used = open();
      try {
        return await connection.within(
          end - performance.now(),
          what,
          fetchSome(used, topic, partition, start, bytes, end),
        );
      } catch (error) {
        const outOfRange = error instanceof KafkaJSOffsetOutOfRange;
        if (outOfRange)
          start = startOf(topic, partition, from, await connection.watermarks(topic, partition));
        else giveUp(used);
        const failure = connection.failure(error, what);
        const again =
          outOfRange ||
          (failure.code === 'log-unavailable' && !isHopeless(error)) ||
          (failure.code === 'log-topic-unknown' && tries === 1); // a leader that moved may not be known yet
        if (!again || connection.closed.aborted || performance.now() + pause > end) throw failure;
      }
      await sleep(pause);
    }
  };

  return {
    async read(topic, partition, from, max) {
      await connection.requirePartition(topic, partition);
      const key = `${topic}/${partition}`;
      const kept = leftovers.get(key);
      leftovers.delete(key);
      const found =
        kept?.from === from && Date.now() < kept.until
          ? kept
          : await fetchFrom(
              topic,
              partition,
              from,
              Math.min(Math.max(max * RECORD_BYTES, LEAST_BYTES), MOST_BYTES),
            );
      const records = found.records.slice(0, max);
      const rest = found.records.slice(max);
      const last = records.at(-1);
      if (rest.length === 0 || !last) return { topic, partition, records, next: found.next };
      const next = last.offset + 1n;
      leftovers.set(key, {
        records: rest,
        next: found.next,
        high: found.high,
        from: next,
        until: Date.now() + KEPT_MS,
      });
      forgetOldest(leftovers);
      return { topic, partition, records, next };
    },
    async close() {
      leftovers.clear();
      if (opened) giveUp(opened);
    },
  };
}

function forgetOldest(leftovers: Map<string, Leftover>): void {
  for (const key of leftovers.keys()) if (leftovers.size > KEPT) leftovers.delete(key);
}
