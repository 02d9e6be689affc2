import type { Consumer } from 'kafkajs';
import { Failure } from '../errors';
import type { KafkaClient, KafkaConnection } from './kafka-client';
import { createBatches } from './kafka-consume-batch';
import { commitAs } from './kafka-consume-commit';
import type { Lane } from '../lane';
import { createMember, type GroupMember, sendAway } from './kafka-consume-member';
import { createPlaces, type AssignedPartitions } from './kafka-consume-places';
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
/**
 * One answer of a broker: what is decoded without a break. A batch that is larger comes alone, when
 * the partition's turn to be first comes.
 */
const FETCH_BYTES = 4 * 1_048_576;

/**
 * Why a session ended: it was aborted, the caller's function threw, or Kafka or its client broke
 * down.
 */
export type Ending =
  { readonly kind: 'aborted' } | { readonly kind: 'thrown' | 'broken'; readonly error: unknown };

/** One consumer of kafkajs, from its start until it is given up: it is never started twice. */
export interface ConsumerSession {
  /** Settles with the first reason there is. From then on the handler is not called again. */
  readonly ended: Promise<Ending>;
  end(ending: Ending): void;
  /** Whether it ever got into the group. */
  joined(): boolean;
  /** Whether it is in the group, or soon will be. */
  joining(): boolean;
  /** As the coordinator knows it. */
  memberId(): string | undefined;
  commit(positions: readonly Position[]): Promise<void>;
  holds(position: Position): boolean;
  /** Takes back every partition, after the running handler. Throws what `onRevoked` throws. */
  giveUp(): Promise<void>;
  /** Leaves the group in order. */
  leave(): Promise<void>;
  /** Ends it where it is; it stays in the group until its session ends, or it is sent away. */
  cut(): void;
}

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
    maxBytesPerPartition: FETCH_BYTES,
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
    over,
    onBroken,
  }: {
    member: GroupMember;
    places: AssignedPartitions;
    watchdog: Watchdog;
    over: () => boolean;
    onBroken: (error: unknown) => void;
  },
): void {
  const { events } = consumer;
  consumer.on(events.GROUP_JOIN, ({ payload }) => {
    if (over()) return;
    places.assign(payload.memberAssignment, member.joined(payload.memberId));
    watchdog.sign();
  });
  consumer.on(events.FETCH_START, ({ payload }) => watchdog.fetchBegan(payload.nodeId));
  consumer.on(events.FETCH, ({ payload }) => watchdog.fetchEnded(payload.nodeId));
  consumer.on(events.HEARTBEAT, watchdog.sign);
  consumer.on(events.END_BATCH_PROCESS, watchdog.sign);
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

/**
 * Starts a consumer. `leftBehind` is the member that it comes after, which may still be in the
 * group.
 */
export function openConsumerSession(
  connection: KafkaConnection,
  options: ConsumeOptions,
  lane: Lane,
  leftBehind: string | undefined,
): ConsumerSession {
  const { timing } = connection;
  const { group, topics } = options;
  let over = false;
  let settle: (ending: Ending) => void;
  const ended = new Promise<Ending>((resolve) => (settle = resolve));
  const end = (ending: Ending): void => {
    over = true;
    settle(ending);
  };
  const onThrown = (error: unknown): void => end({ kind: 'thrown', error });
  const onBroken = (error: unknown): void => end({ kind: 'broken', error });

  const client = connection.client();
  const member = createMember();
  const consumer = newConsumer(client, connection, group, member);
  const places = createPlaces({ connection, consumer, options, lane, onThrown, onBroken });
  const eachBatch = createBatches({
    connection,
    options,
    places,
    lane,
    over: () => over,
    onThrown,
    onBroken,
  });
  const watchdog = createWatchdog({
    stallMs: timing.stallMs,
    joinMs: REBALANCE_SESSIONS * timing.sessionMs + timing.stallMs,
    busy: lane.busy,
    joining: member.joining,
    nodes: () => member.cluster().getNodeIds(),
    onStall: (what) => onBroken(new Failure('log-unavailable', `A reader of ${group} ${what}.`)),
  });
  const checking = setInterval(
    () =>
      void checkPositions(connection, places).catch((error: unknown) => {
        if (error instanceof Failure && error.code === 'log-position-lost') onBroken(error); // whether the brokers answer is seen elsewhere
      }),
    timing.sessionMs,
  );
  listen(consumer, { member, places, watchdog, over: () => over, onBroken });

  const start = async (): Promise<void> => {
    await connection.within(
      CONNECTS * timing.connectMs,
      `Connecting a reader of ${group}`,
      consumer.connect(),
    ); // kafkajs tries one that does not answer again and again
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    if (leftBehind !== undefined) await sendAway(member.cluster(), group, leftBehind); // else the group waits for it
    if (!over)
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: 1,
        eachBatch,
      });
  };
  const started = start().catch(onBroken);
  const stop = (): void => {
    watchdog.stop();
    clearInterval(checking);
  };

  return {
    ended,
    end,
    joined: () => member.id() !== undefined,
    joining: () => member.id() !== undefined || member.joining(),
    memberId: member.id,
    commit: (positions) => commitAs(consumer, group, places, positions),
    holds: ({ topic, partition }) => !over && places.get(topic, partition) !== undefined,
    giveUp: () => places.giveUp(),
    async leave() {
      stop();
      await started; // one that is stopped while it starts goes on for ever
      await consumer.disconnect();
    },
    cut() {
      stop();
      client.cut();
    },
  };
}
