import { CompressionTypes, type Message, type Producer, type RecordMetadata } from 'kafkajs';
import { Failure } from '../errors';
import type { KafkaConnection } from './kafka-client';
import type { KafkaClient } from './kafka-open';
import { keepProducerId, type KeptProducerId } from './kafka-producer-id';
import type { AppendAck, NewRecord } from './log';
import { takeGroup, type WaitingAppend } from './take-group';
import { weighBatch } from './weigh-batch';

/**
 * What one request takes of the calls that wait: more gains nothing, and kafkajs copies the list
 * once per record.
 */
const GROUP_RECORDS = 1000;
const GROUP_BYTES = 1_048_576;
/**
 * With the pauses between them these are longer than an append may last: its deadline ends them.
 */
const TRIES = 10;

interface Call extends WaitingAppend {
  readonly records: readonly NewRecord[];
  resolve(ack: AppendAck): void;
  reject(failure: Failure): void;
}

/** The offset of the first of the records sent; without one nothing proves that they were. */
function firstOf(sent: readonly RecordMetadata[], what: string): bigint {
  const [only, other] = sent;
  if (!only || other || only.errorCode !== 0 || only.baseOffset === undefined)
    throw new Failure('log-unavailable', `${what} was not acknowledged. Send the same again.`);
  return BigInt(only.baseOffset);
}

/**
 * The messages as a list that is by partition already. kafkajs sorts them by `messages.reduce(…)`,
 * in a way that copies the list for every message: 30,000 would stop this process for twenty
 * seconds.
 */
const allFor = (partition: number, messages: Message[]): Message[] =>
  Object.assign(messages, { reduce: () => ({ [partition]: messages }) });

const messagesOf = (records: readonly NewRecord[], partition: number): Message[] =>
  records.map(({ key, value, headers, timestamp }) => ({
    key,
    value,
    partition,
    timestamp: String(timestamp),
    ...(headers && { headers }),
  }));

interface OpenedProducer {
  readonly client: KafkaClient;
  readonly producer: Producer;
  readonly ready: Promise<void>;
}

function openProducer(
  connection: KafkaConnection,
  partition: number,
  id: KeptProducerId,
): OpenedProducer {
  const { timing } = connection;
  const client = connection.client();
  id.use(client.kafka);
  const producer = client.kafka.producer({
    idempotent: true,
    allowAutoTopicCreation: false,
    createPartitioner: () => () => partition,
    maxInFlightRequests: 1,
    retry: {
      retries: TRIES,
      initialRetryTime: timing.retryMs,
      maxRetryTime: timing.maxRetryMs,
      multiplier: 2,
      factor: 0.2,
    },
  });
  return { client, producer, ready: producer.connect() };
}

/**
 * Sends to one partition, one request at a time: a request carries one record batch, which Kafka
 * appends whole or not at all, and once if the client sends it again. After any failure the
 * producer is given up, since kafkajs would number the next batch like the one that failed; its
 * sockets are cut and its epoch is over, so that nothing of it arrives after what the next one
 * sends.
 */
function createSender(
  connection: KafkaConnection,
  topic: string,
  partition: number,
): { send(records: readonly NewRecord[]): Promise<bigint>; close(): Promise<void> } {
  const what = `Appending to ${topic}/${partition}`;
  const { timing } = connection;
  const id = keepProducerId();
  let current: OpenedProducer | undefined;

  return {
    async send(records) {
      const used = (current ??= openProducer(connection, partition, id));
      const messages = allFor(partition, messagesOf(records, partition));
      const sending = used.ready.then(() =>
        used.producer.send({
          topic,
          messages,
          acks: -1,
          timeout: Math.ceil(timing.requestMs * 0.8),
          compression: CompressionTypes.None,
        }),
      );
      try {
        return firstOf(await connection.within(timing.appendMs, what, sending), what);
      } catch (error) {
        used.client.cut();
        current = undefined;
        const failure = connection.failure(error, what);
        connection.onEvent({
          type: 'producer-replaced',
          topic,
          partitions: [partition],
          detail: failure.message,
        });
        throw failure;
      }
    },
    async close() {
      const used = current;
      await used?.ready
        .then(() =>
          connection.within(timing.connectMs, 'Disconnecting', used.producer.disconnect()),
        )
        .catch(() => undefined);
      used?.client.cut();
    },
  };
}

/** The queue of one partition. */
function createPartitionQueue(
  connection: KafkaConnection,
  topic: string,
  partition: number,
): { add(call: Call, maxBytes: number): void; close(): Promise<void> } {
  const sender = createSender(connection, topic, partition);
  const queue: Call[] = [];
  let running: Promise<void> | undefined;

  const sendGroup = async (calls: readonly Call[]): Promise<void> => {
    try {
      let first = await sender.send(calls.flatMap(({ records }) => records));
      for (const { records, resolve } of calls) {
        const next = first + BigInt(records.length);
        resolve({ first, next });
        first = next;
      }
    } catch (error) {
      const failure = error as Failure;
      if (failure.code === 'log-record-refused' && calls.length > 1) {
        for (const call of calls) await sendGroup([call]); // one of them is at fault
        return;
      }
      for (const { reject } of calls) reject(failure);
      if (failure.code !== 'log-record-refused')
        for (const { reject } of queue.splice(0)) reject(failure); // else they would come before what is sent again
    }
  };
  const run = async (maxBytes: number): Promise<void> => {
    while (queue.length > 0)
      await sendGroup(
        takeGroup(queue, { records: GROUP_RECORDS, bytes: Math.min(maxBytes, GROUP_BYTES) }),
      );
    running = undefined;
  };

  return {
    add(call, maxBytes) {
      queue.push(call);
      running ??= run(maxBytes);
    },
    async close() {
      await running;
      await sender.close();
    },
  };
}

export interface KafkaAppender {
  append(topic: string, partition: number, records: readonly NewRecord[]): Promise<AppendAck>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/**
 * Appends to partitions side by side, to each in the order of the calls. Calls that wait for the
 * one under way share a request.
 */
export function createKafkaAppender(
  connection: KafkaConnection,
  maxBytesOf: (topic: string) => Promise<number>,
): KafkaAppender {
  const lanes = new Map<string, ReturnType<typeof createPartitionQueue>>();
  const waiting = new Set<Promise<AppendAck>>();

  const laneOf = (topic: string, partition: number): ReturnType<typeof createPartitionQueue> => {
    const name = `${topic}/${partition}`;
    const lane = lanes.get(name) ?? createPartitionQueue(connection, topic, partition);
    lanes.set(name, lane);
    return lane;
  };
  const append = async (
    topic: string,
    partition: number,
    records: readonly NewRecord[],
  ): Promise<AppendAck> => {
    await connection.requirePartition(topic, partition);
    const maxMessageBytes = await maxBytesOf(topic);
    const bytes = weighBatch({ name: topic, maxMessageBytes }, records, Date.now());
    return new Promise((resolve, reject) =>
      laneOf(topic, partition).add({ records, bytes, resolve, reject }, maxMessageBytes),
    );
  };

  return {
    append(topic, partition, records) {
      const appending = append(topic, partition, records);
      waiting.add(appending);
      const forget = (): void => void waiting.delete(appending);
      appending.then(forget, forget);
      return appending;
    },
    async close() {
      await Promise.allSettled(waiting);
      await Promise.all([...lanes.values()].map((lane) => lane.close()));
    },
  };
}
