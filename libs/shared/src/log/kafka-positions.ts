import type { Consumer, Kafka } from 'kafkajs';
import { Failure } from '../errors';
import type { KafkaConnection } from './kafka-client';
import type { Position } from './log';

/** The states of a group without readers. */
const IDLE = new Set(['Empty', 'Dead']);

/** Why a group that has readers elsewhere takes no positions from us. */
const othersRead = (group: string): Failure =>
  new Failure('log-partition-lost', `Publishing positions for group ${group} failed: other readers of the group are at work, and publish their own. Stop them first.`);

/** Joins the group, which must have no reader, and settles once it has been given everything of the topics. */
const joined = (consumer: Consumer, group: string, positions: readonly Position[]): Promise<void> => new Promise((resolve, reject) => {
  consumer.on(consumer.events.GROUP_JOIN, ({ payload: { memberAssignment } }) => {
    const ours = positions.every(({ topic, partition }) => Object.hasOwn(memberAssignment, topic) && memberAssignment[topic]?.includes(partition));
    if (ours) resolve();
    else reject(othersRead(group));
  });
  consumer.on(consumer.events.CRASH, ({ payload: { error } }) => reject(error));
});

/** A consumer of one moment: the protocol lets only members of a group publish for it, or anybody while it has none. */
async function publish(kafka: Kafka, sessionTimeout: number, group: string, positions: readonly Position[]): Promise<void> {
  const consumer = kafka.consumer({ groupId: group, allowAutoTopicCreation: false, readUncommitted: true, maxWaitTimeInMs: 100, sessionTimeout, retry: { restartOnFailure: () => Promise.resolve(false) } });
  const joining = joined(consumer, group, positions);
  joining.catch(() => undefined); // heard below
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [...new Set(positions.map(({ topic }) => topic))], fromBeginning: true });
    await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: () => Promise.resolve() });
    await joining;
    await consumer.commitOffsets(positions.map(({ topic, partition, offset }) => ({ topic, partition, offset: String(offset) })));
  } finally {
    await consumer.disconnect();
  }
}

/** Publishes positions for a group that nobody reads for, as a member of it for a moment. Throws Failure. */
export async function publishPositions(connection: KafkaConnection, group: string, positions: readonly Position[]): Promise<void> {
  const what = `Publishing positions for group ${group}`;
  if (positions.length === 0) return;
  for (const { topic, partition } of positions) await connection.requirePartition(topic, partition);
  const { groups } = await connection.ask(what, (admin) => admin.describeGroups([group]), group);
  if (!groups.every(({ state }) => IDLE.has(state))) throw othersRead(group);
  const { kafka, cut } = connection.client();
  try {
    await connection.within(connection.timing.askMs, what, publish(kafka, connection.timing.sessionMs, group, positions));
  } catch (error) {
    throw await connection.groupFailure(error, group, what);
  } finally {
    cut();
  }
}

/** What was published for the group, by topic and partition. Throws Failure. */
export async function readPositions(connection: KafkaConnection, group: string): Promise<Position[]> {
  const topics = await connection.ask(`Looking for the positions of group ${group}`, (admin) => admin.fetchOffsets({ groupId: group }), group);
  return topics
    .flatMap(({ topic, partitions }) => partitions.map(({ partition, offset }) => ({ topic, partition, offset: BigInt(offset) })))
    .filter(({ offset }) => offset >= 0n) // -1 is none
    .sort((a, b) => (a.topic === b.topic ? a.partition - b.partition : a.topic < b.topic ? -1 : 1));
}
