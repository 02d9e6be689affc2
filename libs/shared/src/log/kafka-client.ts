import type { Admin } from 'kafkajs';
import { Failure } from '../errors';
import { AnswersByTopic } from './answers-by-topic';
import { createBrokerRequests } from './kafka-broker-requests';
import { kafkaFailure, needsCoordinator } from './kafka-failure';
import { coordinatorRefusal, type KafkaClient, openClient } from './kafka-open';
import {
  type KafkaLogEvent,
  type KafkaLogOptions,
  type KafkaTiming,
  KAFKA_TIMING,
} from './kafka-options';
import { createWithin, type Within } from './kafka-within';
import type { Watermarks } from './log';

export type { KafkaClient } from './kafka-open';

/** What the parts of the adapter share. */
export interface KafkaConnection {
  readonly timing: KafkaTiming;
  readonly onEvent: (event: KafkaLogEvent) => void;
  /** Aborted when the log ends. */
  readonly closed: AbortSignal;
  /** A client that can be given up apart from all others. */
  client(): KafkaClient;
  /**
   * Queries the brokers, again while they cannot be reached, until `queryMs` have passed; `what` as
   * in "Reading topic x". `group` where its coordinator is needed. Throws Failure.
   */
  query<T>(what: string, question: (admin: Admin) => Promise<T>, group?: string): Promise<T>;
  readonly within: Within;
  /**
   * What an error of the client means; `what` as in "Reading topic x". A Failure stays as it is.
   */
  failure(error: unknown, what: string): Failure;
  /**
   * As `failure`, where a group's coordinator was needed: the client hides why it was not found, so
   * the brokers are queried.
   */
  groupFailure(error: unknown, group: string, what: string): Promise<Failure>;
  /** How many the topic has. Throws Failure `log-topic-unknown`. */
  partitionsOf(topic: string): Promise<number>;
  /** Called by code that has just seen the count. */
  learnPartitions(topic: string, count: number): void;
  /** Throws Failure `log-topic-unknown`. */
  requirePartition(topic: string, partition: number): Promise<void>;
  watermarks(topic: string, partition: number): Promise<Watermarks>;
  close(): Promise<void>;
}

/** Reaches the brokers at the first call. Nothing here throws anything but a Failure. */
export function connectKafka(options: KafkaLogOptions): KafkaConnection {
  const timing: KafkaTiming = { ...KAFKA_TIMING, ...options.timing };
  const { brokers, onEvent = () => undefined } = options;
  const within = createWithin(brokers);
  const ending = new AbortController();
  const { failure, groupFailure } = failuresOf(options, timing, within);
  const brokerRequests = createBrokerRequests({
    timing,
    closed: ending.signal,
    client: () => openClient(options, timing),
    within,
    onEvent,
    failure: async (error, what, group) =>
      group === undefined ? failure(error, what) : groupFailure(error, group, what),
  });
  const { query } = brokerRequests;
  const counts = partitionCounts(query);

  return {
    timing,
    onEvent,
    closed: ending.signal,
    client: () => openClient(options, timing),
    query,
    within,
    failure,
    groupFailure,
    partitionsOf: (topic) => counts.of(topic),
    learnPartitions: (topic, count) => counts.learn(topic, count),
    requirePartition: (topic, partition) => requirePartition(counts, topic, partition),
    async watermarks(topic, partition) {
      await requirePartition(counts, topic, partition);
      const all = await query(`Looking for the ends of topic ${topic}`, (admin) =>
        admin.fetchTopicOffsets(topic),
      );
      const found = all.find((it) => it.partition === partition);
      if (!found) throw failure(undefined, `Looking for the ends of ${topic}/${partition}`);
      return { low: BigInt(found.low), high: BigInt(found.high) };
    },
    async close() {
      ending.abort();
      await brokerRequests.close();
    },
  };
}

/** What errors of the client mean for one who has these rights. */
function failuresOf(
  options: KafkaLogOptions,
  timing: KafkaTiming,
  within: Within,
): Pick<KafkaConnection, 'failure' | 'groupFailure'> {
  const { brokers, tls, sasl } = options;
  const access = {
    brokers,
    tls: tls !== undefined,
    ...(sasl && { user: sasl.username, mechanism: sasl.mechanism }),
  };
  const failure = (error: unknown, what: string): Failure => kafkaFailure(error, what, access);
  return {
    failure,
    async groupFailure(error, group, what) {
      if (!needsCoordinator(error)) return failure(error, what);
      const reason = await within(
        timing.queryMs,
        what,
        coordinatorRefusal(options, timing, group),
      ).catch((other: unknown) => other);
      return failure(reason ?? error, what);
    },
  };
}

/** How many partitions each topic has. */
const partitionCounts = (query: KafkaConnection['query']): AnswersByTopic<number> =>
  new AnswersByTopic(async (topic) => {
    const { topics } = await query(`Looking for topic ${topic}`, (admin) =>
      admin.fetchTopicMetadata({ topics: [topic] }),
    );
    return topics[0]?.partitions.length ?? 0;
  });

async function requirePartition(
  counts: AnswersByTopic<number>,
  topic: string,
  partition: number,
): Promise<void> {
  const count = await counts.of(topic);
  if (!(partition >= 0 && partition < count))
    throw new Failure(
      'log-topic-unknown',
      `Topic ${topic} has no partition ${partition}: it has 0 to ${count - 1}.`,
    );
}
