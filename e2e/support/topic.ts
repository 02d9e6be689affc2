import { setTimeout as sleep } from 'node:timers/promises';
import { type Admin, Kafka, KafkaJSProtocolError, logLevel } from 'kafkajs';

/** A record as any subscriber sees it: read with kafkajs alone, past all code of ours. */
export interface TopicRecord {
  readonly partition: number;
  readonly offset: bigint;
  /** As its writer dated it, in milliseconds since 1970. */
  readonly timestamp: number;
  readonly key: string;
  readonly value: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

let readers = 0;

/**
 * The first and the last offset of each partition. Where a leader has just moved, kafkajs gives up
 * at the first answer of the former one: another client learns of the new one.
 */
async function endsOf(kafka: Kafka, topic: string): ReturnType<Admin['fetchTopicOffsets']> {
  for (const end = Date.now() + 60_000; ; await sleep(200)) {
    const admin = kafka.admin();
    try {
      await admin.connect();
      return await admin.fetchTopicOffsets(topic);
    } catch (error) {
      if (!(error instanceof KafkaJSProtocolError && error.retriable) || Date.now() > end)
        throw error;
    } finally {
      await admin.disconnect();
    }
  }
}

/** Everything that is in the topic now, in the order of each partition. */
export async function readTopic(
  bootstrap: readonly string[],
  topic: string,
): Promise<readonly TopicRecord[]> {
  const kafka = new Kafka({ clientId: 'e2e', brokers: [...bootstrap], logLevel: logLevel.NOTHING });
  const ends = (await endsOf(kafka, topic)).filter((it) => BigInt(it.high) > BigInt(it.low));
  const missing = new Map(ends.map((it) => [it.partition, BigInt(it.high)]));
  const records: TopicRecord[] = [];
  if (missing.size === 0) return records;
  const consumer = kafka.consumer({
    groupId: `e2e-${process.pid}-${Date.now()}-${(readers += 1)}`,
    maxWaitTimeInMs: 100,
  });
  await consumer.connect();
  try {
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        for (const { key, value, headers, offset, timestamp } of batch.messages) {
          records.push({
            partition: batch.partition,
            offset: BigInt(offset),
            timestamp: Number(timestamp),
            key: key?.toString() ?? '',
            value: value?.toString() ?? null,
            headers: Object.fromEntries(
              Object.entries(headers ?? {}).map(([name, text]) => [name, String(text)]),
            ),
          });
        }
        if (BigInt(batch.lastOffset()) + 1n >= (missing.get(batch.partition) ?? 0n))
          missing.delete(batch.partition);
      },
    });
    for (const end = Date.now() + 60_000; missing.size > 0; await sleep(20))
      if (Date.now() > end)
        throw new Error(
          `partitions ${[...missing.keys()].join(', ')} of ${topic} could not be read to their end`,
        );
    return records;
  } finally {
    await consumer.disconnect();
  }
}
