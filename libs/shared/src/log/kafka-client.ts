import { type Admin, Kafka, type logCreator, logLevel, type SASLOptions } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../errors';
import { isHopeless, kafkaFailure, needsCoordinator } from './kafka-failure';
import { type KafkaLogEvent, type KafkaLogOptions, type KafkaTiming, TIMING } from './kafka-options';
import { createSockets } from './kafka-sockets';
import type { Watermarks } from './log';

/** Tries inside the client, which know more than ours: the leader that moved. Ours, around them, know when to stop. */
const CLIENT_TRIES = 3;
const MAX_RETRY_MS = 2000;

/** A client of its own, with sockets of its own. */
export interface KafkaClient {
  readonly kafka: Kafka;
  /** Gives it up: nothing it tries from now on leaves this process. */
  cut(): void;
}

/** What the parts of the adapter share. */
export interface KafkaConnection {
  /** For consumers. */
  readonly kafka: Kafka;
  readonly timing: KafkaTiming;
  readonly onEvent: (event: KafkaLogEvent) => void;
  /** Aborted when the log ends. */
  readonly closed: AbortSignal;
  /** A client that can be given up apart from all others. */
  client(): KafkaClient;
  /** Connected, shared, replaced after a failure of `ask`. */
  admin(): Promise<Admin>;
  /**
   * Asks the brokers, again while they cannot be reached, until `askMs` have passed; `what` as in "Reading topic x". `group` where its
   * coordinator is needed. Throws Failure.
   */
  ask<T>(what: string, question: (admin: Admin) => Promise<T>, group?: string): Promise<T>;
  /** Settles as the promise does, or throws Failure `log-unavailable` after `ms`: kafkajs may hang. */
  within<T>(ms: number, what: string, promise: Promise<T>): Promise<T>;
  /** What an error of the client means; `what` as in "Reading topic x". A Failure stays as it is. */
  failure(error: unknown, what: string): Failure;
  /** As `failure`, where a group's coordinator was needed: the client hides why it was not found, so the brokers are asked. */
  groupFailure(error: unknown, group: string, what: string): Promise<Failure>;
  /** How many the topic has. Throws Failure `log-topic-unknown`. */
  partitionsOf(topic: string): Promise<number>;
  /** Told by whoever has just seen it. */
  learnPartitions(topic: string, count: number): void;
  /** Throws Failure `log-topic-unknown`. */
  requirePartition(topic: string, partition: number): Promise<void>;
  watermarks(topic: string, partition: number): Promise<Watermarks>;
  close(): Promise<void>;
}

const silent: logCreator = () => () => undefined;

function clientFor(options: KafkaLogOptions, timing: KafkaTiming, creator: logCreator = silent, level = logLevel.NOTHING): KafkaClient {
  const sockets = createSockets(options.socketFactory);
  const { brokers, clientId, tls, sasl } = options;
  const kafka = new Kafka({
    brokers: [...brokers], clientId, logLevel: level, logCreator: creator, socketFactory: sockets.factory,
    ...(tls && { ssl: { ...tls } }),
    ...(sasl && { sasl: { ...sasl } as SASLOptions }), // copied: the client writes into it
    connectionTimeout: timing.connectMs, authenticationTimeout: timing.requestMs, requestTimeout: timing.requestMs,
    retry: { retries: CLIENT_TRIES, initialRetryTime: timing.retryMs, maxRetryTime: MAX_RETRY_MS, multiplier: 2, factor: 0.2 },
  });
  return { kafka, cut: sockets.cut };
}

/** Why the brokers do not name the group's coordinator; undefined when they do. The client tells it to its log only. */
async function coordinatorRefusal(options: KafkaLogOptions, timing: KafkaTiming, group: string): Promise<unknown> {
  let reason: unknown;
  const hear: logCreator = () => ({ log }) => void (log.groupId === group && (reason ??= log.error));
  const { kafka, cut } = clientFor(options, timing, hear, logLevel.DEBUG);
  const admin = kafka.admin();
  try {
    await admin.connect();
    await admin.describeGroups([group]);
    return undefined;
  } catch (error) {
    return reason ?? error;
  } finally {
    cut();
  }
}

/** Settles as the promise does, or throws Failure `log-unavailable` after `ms`. */
async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const tooLong = sleep(Math.max(ms, 0), undefined, { signal: ended.signal }).then(
    () => Promise.reject(new Failure('log-unavailable', `${what} was given up after ${Math.round(ms)} ms without an answer. Try again; see to the brokers if it stays so.`)),
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([promise, tooLong]);
  } finally {
    ended.abort();
    promise.catch(() => undefined); // it may fail when nobody waits any more
  }
}

/** Reaches the brokers when first asked. Nothing here throws anything but a Failure. */
export function connectKafka(options: KafkaLogOptions): KafkaConnection {
  const timing: KafkaTiming = { ...TIMING, ...options.timing };
  const { brokers, tls, sasl, onEvent = () => undefined } = options;
  const access = { brokers, tls: tls !== undefined, ...(sasl && { user: sasl.username, mechanism: sasl.mechanism }) };
  const ending = new AbortController();
  const shared = clientFor(options, timing);
  const partitions = new Map<string, Promise<number>>();
  let asking: { readonly client: KafkaClient; readonly admin: Promise<Admin> } | undefined;

  const failure = (error: unknown, what: string): Failure => kafkaFailure(error, what, access);

  const connected = (): NonNullable<typeof asking> => {
    if (asking) return asking;
    const client = clientFor(options, timing);
    const admin = client.kafka.admin();
    return (asking = { client, admin: admin.connect().then(() => admin) });
  };
  const giveUp = (used: NonNullable<typeof asking>): void => {
    used.client.cut();
    if (asking === used) asking = undefined;
  };

  const groupFailure: KafkaConnection['groupFailure'] = async (error, group, what) => {
    if (!needsCoordinator(error)) return failure(error, what);
    const reason = await within(timing.askMs, what, coordinatorRefusal(options, timing, group)).catch((other: unknown) => other);
    return failure(reason ?? error, what);
  };

  const ask: KafkaConnection['ask'] = async (what, question, group) => {
    const end = performance.now() + timing.askMs;
    for (let pause = timing.retryMs; ; pause = Math.min(2 * pause, MAX_RETRY_MS)) {
      const used = connected();
      try {
        return await within(end - performance.now(), what, used.admin.then(question));
      } catch (error) {
        const told = group === undefined ? failure(error, what) : await groupFailure(error, group, what);
        if (told.code === 'log-unavailable' || told.code === 'log-topic-unknown') giveUp(used); // the client keeps asking for topics that are gone
        if (told.code !== 'log-unavailable' || isHopeless(error) || ending.signal.aborted || performance.now() + pause > end) throw told;
      }
      await sleep(pause);
    }
  };

  const countPartitions = async (topic: string): Promise<number> => {
    const { topics } = await ask(`Looking for topic ${topic}`, (admin) => admin.fetchTopicMetadata({ topics: [topic] }));
    return topics[0]?.partitions.length ?? 0;
  };
  const partitionsOf = (topic: string): Promise<number> => {
    const known = partitions.get(topic);
    if (known) return known;
    const counting = countPartitions(topic);
    counting.catch(() => partitions.delete(topic));
    partitions.set(topic, counting);
    return counting;
  };

  const requirePartition = async (topic: string, partition: number): Promise<void> => {
    const count = await partitionsOf(topic);
    if (!(partition >= 0 && partition < count)) throw new Failure('log-topic-unknown', `Topic ${topic} has no partition ${partition}: it has 0 to ${count - 1}.`);
  };

  return {
    kafka: shared.kafka,
    timing,
    onEvent,
    closed: ending.signal,
    client: () => clientFor(options, timing),
    admin: () => ask('Connecting', (admin) => Promise.resolve(admin)),
    ask,
    within,
    failure,
    groupFailure,
    partitionsOf,
    learnPartitions: (topic, count) => void partitions.set(topic, Promise.resolve(count)),
    requirePartition,
    async watermarks(topic, partition) {
      await requirePartition(topic, partition);
      const all = await ask(`Looking for the ends of topic ${topic}`, (admin) => admin.fetchTopicOffsets(topic));
      const found = all.find((it) => it.partition === partition);
      if (!found) throw failure(undefined, `Looking for the ends of ${topic}/${partition}`);
      return { low: BigInt(found.low), high: BigInt(found.high) };
    },
    async close() {
      ending.abort();
      const used = asking;
      asking = undefined;
      await used?.admin.then((admin) => within(timing.connectMs, 'Disconnecting', admin.disconnect())).catch(() => undefined);
      used?.client.cut();
      shared.cut();
    },
  };
}
