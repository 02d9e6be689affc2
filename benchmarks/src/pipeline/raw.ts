import { CHANGES } from '@ovn-steward/shared/log/topics';
import { Kafka, logLevel, type Message } from 'kafkajs';
import type { Assignment } from './task';

/** Where the same bytes go once more. */
export const COPY = 'steward-bench-copy';
const PER_SEND = 500;

const clientOf = ({ brokers }: Assignment): Kafka =>
  new Kafka({ clientId: 'raw', brokers: [...brokers], logLevel: logLevel.NOTHING });

/**
 * Reads what the collector wrote, all of it, beforehand; then sends it again with kafkajs alone, a
 * batch at a time.
 */
export async function produce(assignment: Assignment): Promise<() => Promise<number>> {
  const messages = await readAll(clientOf(assignment), assignment.records);
  const producer = clientOf(assignment).producer();
  await producer.connect();
  return async () => {
    for (let at = 0; at < messages.length; at += PER_SEND)
      await producer.send({ topic: COPY, acks: -1, messages: messages.slice(at, at + PER_SEND) });
    return messages.length;
  };
}

/** Counts with kafkajs alone, and decodes nothing. */
export async function consume(assignment: Assignment): Promise<() => Promise<number>> {
  const consumer = clientOf(assignment).consumer({ groupId: 'raw', maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topic: COPY, fromBeginning: true });
  let seen = 0;
  let finished = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    finished = resolve;
  });
  await consumer.run({
    eachBatch: async ({ batch }) => {
      seen += batch.messages.length;
      if (seen >= assignment.records) finished();
    },
  });
  return async () => {
    await done;
    return seen;
  };
}

async function readAll(kafka: Kafka, count: number): Promise<Message[]> {
  const consumer = kafka.consumer({ groupId: 'raw-reader', maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topic: CHANGES, fromBeginning: true });
  const messages: Message[] = [];
  await new Promise<void>((resolve, reject) => {
    consumer
      .run({
        eachBatch: async ({ batch }) => {
          for (const { key, value, headers } of batch.messages)
            messages.push({ key, value, partition: 0, ...(headers && { headers }) });
          if (messages.length >= count) resolve();
        },
      })
      .catch(reject);
  });
  await consumer.disconnect();
  return messages;
}
