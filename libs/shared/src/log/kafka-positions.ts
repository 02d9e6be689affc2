import { compareValues } from '../compare';
import type { KafkaConnection } from './kafka-client';
import { openCluster } from './kafka-read-cluster';
import type { Position } from './log';

/**
 * Of a commit without a member: the coordinator takes it for a group without readers only (Kafka
 * protocol, OffsetCommit).
 */
const NO_MEMBER = { groupGenerationId: -1, memberId: '' };

/**
 * Publishes positions for a group; throws Failure `log-partition-lost` while it has readers, since
 * those publish their own.
 */
export async function publishPositions(
  connection: KafkaConnection,
  group: string,
  positions: readonly Position[],
): Promise<void> {
  if (positions.length === 0) return;
  for (const { topic, partition } of positions) await connection.requirePartition(topic, partition);
  const topics = [...new Set(positions.map(({ topic }) => topic))].map((topic) => ({
    topic,
    partitions: positions
      .filter((it) => it.topic === topic)
      .map(({ partition, offset }) => ({ partition, offset: String(offset) })),
  }));
  await connection.query(
    `Publishing positions for group ${group}`,
    async () => {
      const { kafka, cut } = connection.client();
      try {
        const cluster = openCluster(kafka);
        await cluster.connect();
        await cluster.refreshMetadata();
        const coordinator = await cluster.findGroupCoordinator({ groupId: group });
        await coordinator.offsetCommit({ ...NO_MEMBER, groupId: group, topics });
      } finally {
        cut();
      }
    },
    group,
  );
}

/** What was published for the group, by topic and partition. Throws Failure. */
export async function readPositions(
  connection: KafkaConnection,
  group: string,
): Promise<Position[]> {
  const topics = await connection.query(
    `Looking for the positions of group ${group}`,
    (admin) => admin.fetchOffsets({ groupId: group }),
    group,
  );
  return topics
    .flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset }) => ({ topic, partition, offset: BigInt(offset) })),
    )
    .filter(({ offset }) => offset >= 0n) // -1 is none
    .sort((a, b) =>
      a.topic === b.topic ? a.partition - b.partition : compareValues(a.topic, b.topic),
    );
}
