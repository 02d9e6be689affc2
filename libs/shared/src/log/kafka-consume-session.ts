import type { Consumer } from 'kafkajs';
import { Failure } from '../errors';
import type { KafkaClient, KafkaConnection } from './kafka-client';
import { createBatches } from './kafka-consume-batch';
import { commitAs } from './kafka-consume-commit';
import type { Lane } from '../lane';
import { createMember, type GroupMember, sendAway } from './kafka-consume-member';
import { AssignedPartitions } from './kafka-consume-places';
import { createWatchdog, type Watchdog } from './kafka-consume-watchdog';
import { startOf } from './kafka-read-start';
import type { ConsumeOptions, Position } from './log';

/**
 * The client's own tries, which know more than ours: the leader that moved. Ours, around them,
 * begin again.
 */
const TRIES = 5;
const MAX_RETRY_MS = 1000;
/** How long it may take to connect and log in, in connections. */
const CONNECTS = 2;
/** The longest that a group waits for a member whose handler runs, in sessions. */
const REBALANCE_SESSIONS = 3;
/** One answer of a broker: what is decoded without a break. */
const FETCH_BYTES = 4 * 1_048_576;
/**
 * What one partition has of it, so that one with much to read leaves room for the others: the next
 * answer comes when all of this one is handled. Our batches fit (`GROUP_BYTES` of
 * `kafka-append.ts`); one that is larger comes alone, when the partition's turn to be first comes.
 */
const PARTITION_BYTES = Math.floor(FETCH_BYTES / 3);

/**
 * Why a session ended: it was aborted, the caller's function threw, or Kafka or its client broke
 * down.
 */
export type Ending =
  { readonly kind: 'aborted' } | { readonly kind: 'thrown' | 'broken'; readonly error: unknown };

const newConsumer = (
  client: KafkaClient,
  { timing }: KafkaConnection,
  group: string,
  member: GroupMember,
): Consumer =>
  client.kafka.consumer({
    groupId: group,
    partitionAssigners: [member.assigner],
    allowAutoTopicCreation: false,
    sessionTimeout: timing.sessionMs,
    heartbeatInterval: timing.heartbeatMs,
    rebalanceTimeout: REBALANCE_SESSIONS * timing.sessionMs,
    maxWaitTimeInMs: timing.pollMs,
    minBytes: 1,
    maxBytes: FETCH_BYTES,
    maxBytesPerPartition: PARTITION_BYTES,
    retry: {
      retries: TRIES,
      initialRetryTime: timing.retryMs,
      maxRetryTime: MAX_RETRY_MS,
      multiplier: 2,
      factor: 0.2,
      restartOnFailure: () => Promise.resolve(false),
    },
  });

/** Passes on what kafkajs reports of itself, until the session is over. */
function listen(
  consumer: Consumer,
  {
    member,
    places,
    watchdog,
    onMember,
    over,
    onBroken,
  }: {
    member: GroupMember;
    places: AssignedPartitions;
    watchdog: Watchdog;
    onMember: ConsumeOptions['onMember'];
    over: () => boolean;
    onBroken: (error: unknown) => void;
  },
): void {
  const { events } = consumer;
  consumer.on(events.GROUP_JOIN, ({ payload }) => {
    if (over()) return;
    places.assign(payload.memberAssignment, member.joined(payload.memberId));
    watchdog.active();
    onMember?.(true);
  });
  consumer.on(events.FETCH_START, ({ payload }) => watchdog.fetchBegan(payload.nodeId));
  consumer.on(events.FETCH, ({ payload }) => watchdog.fetchEnded(payload.nodeId));
  consumer.on(events.HEARTBEAT, watchdog.active);
  consumer.on(events.END_BATCH_PROCESS, watchdog.active);
  consumer.on(events.CRASH, ({ payload }) => onBroken(payload.error));
}

/**
 * Throws Failure `log-position-lost` when a position is not in the log any more: where no records
 * come, kafkajs would not report it.
 */
async function checkPositions(
  connection: KafkaConnection,
  places: AssignedPartitions,
): Promise<void> {
  const before = places
    .all()
    .filter(({ ready }) => ready)
    .map((place) => ({ place, position: place.position }));
  for (const topic of new Set(before.map(({ place }) => place.topic))) {
    const ends = await connection.query(`Looking for the ends of topic ${topic}`, (admin) =>
      admin.fetchTopicOffsets(topic),
    );
    for (const { partition, low, high } of ends) {
      const found = before.find(
        ({ place }) => place.topic === topic && place.partition === partition,
      );
      if (!found || found.place.lost || found.place.fromBeginning) continue;
      if (found.position > BigInt(high))
        startOf(topic, partition, found.position, { low: BigInt(low), high: BigInt(high) });
      if (found.place.position < BigInt(low))
        startOf(topic, partition, found.place.position, { low: BigInt(low), high: BigInt(high) });
    }
  }
}

/** One consumer of kafkajs, from its start until it is given up: it is never started twice. */
export class ConsumerSession {
  /** Settles with the first reason there is. From then on the handler is not called again. */
  readonly ended: Promise<Ending>;
  readonly #connection: KafkaConnection;
  readonly #options: ConsumeOptions;
  readonly #lane: Lane;
  readonly #client: KafkaClient;
  readonly #member = createMember();
  readonly #consumer: Consumer;
  readonly #places: AssignedPartitions;
  readonly #watchdog: Watchdog;
  readonly #checking: NodeJS.Timeout;
  readonly #started: Promise<void>;
  #settle!: (ending: Ending) => void;
  #isOver = false;

  /**
   * Starts a consumer.
   * @param leftBehind the member that it comes after, which may still be in the group.
   */
  constructor(
    connection: KafkaConnection,
    options: ConsumeOptions,
    lane: Lane,
    leftBehind: string | undefined,
  ) {
    this.ended = new Promise((resolve) => (this.#settle = resolve));
    this.#connection = connection;
    this.#options = options;
    this.#lane = lane;
    this.#client = connection.client();
    this.#consumer = newConsumer(this.#client, connection, options.group, this.#member);
    const reporting = {
      over: () => this.#isOver,
      onThrown: (error: unknown) => this.end({ kind: 'thrown', error }),
      onBroken: (error: unknown) => this.end({ kind: 'broken', error }),
    };
    const consumer = this.#consumer;
    this.#places = new AssignedPartitions({ connection, consumer, options, lane, ...reporting });
    this.#watchdog = this.#watch(reporting.onBroken);
    this.#checking = setInterval(
      () =>
        void checkPositions(connection, this.#places).catch((error: unknown) => {
          if (error instanceof Failure && error.code === 'log-position-lost')
            reporting.onBroken(error); // whether the brokers answer is seen elsewhere
        }),
      connection.timing.sessionMs,
    );
    listen(consumer, {
      member: this.#member,
      places: this.#places,
      watchdog: this.#watchdog,
      onMember: options.onMember,
      ...reporting,
    });
    const places = this.#places;
    const eachBatch = createBatches({ connection, options, places, lane, ...reporting });
    this.#started = this.#start(eachBatch, leftBehind).catch(reporting.onBroken);
  }

  end(ending: Ending): void {
    if (!this.#isOver) this.#options.onMember?.(false);
    this.#isOver = true;
    this.#settle(ending);
  }

  /** Whether it ever got into the group. */
  joined(): boolean {
    return this.#member.id() !== undefined;
  }

  /** Whether it is in the group, or soon will be. */
  joining(): boolean {
    return this.joined() || this.#member.joining();
  }

  /** As the coordinator knows it. */
  memberId(): string | undefined {
    return this.#member.id();
  }

  commit(positions: readonly Position[]): Promise<void> {
    return commitAs(this.#consumer, this.#options.group, this.#places, positions);
  }

  holds({ topic, partition }: Position): boolean {
    return !this.#isOver && this.#places.get(topic, partition) !== undefined;
  }

  /** Takes back every partition, after the running handler. Throws what `onRevoked` throws. */
  giveUp(): Promise<void> {
    return this.#places.giveUp();
  }

  /** Leaves the group in order. */
  async leave(): Promise<void> {
    this.#stop();
    await this.#started; // one that is stopped while it starts goes on for ever
    await this.#consumer.disconnect();
  }

  /** Ends it where it is; it stays in the group until its session ends, or it is sent away. */
  cut(): void {
    this.#stop();
    this.#client.cut();
  }

  #watch(onBroken: (error: unknown) => void): Watchdog {
    const { timing } = this.#connection;
    const { group } = this.#options;
    return createWatchdog({
      stallMs: timing.stallMs,
      joinMs: REBALANCE_SESSIONS * timing.sessionMs + timing.stallMs,
      busy: this.#lane.busy,
      joining: this.#member.joining,
      nodes: () => this.#member.cluster().getNodeIds(),
      onStall: (what) => onBroken(new Failure('log-unavailable', `A reader of ${group} ${what}.`)),
    });
  }

  async #start(
    eachBatch: ReturnType<typeof createBatches>,
    leftBehind: string | undefined,
  ): Promise<void> {
    const { group, topics } = this.#options;
    const consumer = this.#consumer;
    await this.#connection.within(
      CONNECTS * this.#connection.timing.connectMs,
      `Connecting a reader of ${group}`,
      consumer.connect(),
    ); // kafkajs tries one that does not answer again and again
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    if (leftBehind !== undefined) await sendAway(this.#member.cluster(), group, leftBehind); // else the group waits for it
    if (!this.#isOver)
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: 1,
        eachBatch,
      });
  }

  #stop(): void {
    this.#watchdog.stop();
    clearInterval(this.#checking);
  }
}
