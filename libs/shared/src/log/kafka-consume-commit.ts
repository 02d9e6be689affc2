import type { Consumer, TopicPartitionOffset } from 'kafkajs';
import { Failure } from '../errors';
import type { ConsumedPlace, AssignedPartitions } from './kafka-consume-places';
import type { Position } from './log';

/** Another has it, or will have. */
export const partitionLost = (group: string, { topic, partition }: Position): Failure =>
  new Failure(
    'log-partition-lost',
    `Publishing positions for group ${group} failed: ${topic}/${partition} is not this reader's any more. Go on from the stored position when it is given again.`,
  );

const isSame = (a: TopicPartitionOffset, b: TopicPartitionOffset): boolean =>
  a.topic === b.topic && a.partition === b.partition && a.offset === b.offset;

/**
 * Publishes positions as a member of the group, in the generation in which the partitions were
 * given to it: refused by the coordinator when there is a later one. kafkajs answers nothing at all
 * when its consumer has ended, so only what it says it published counts. Throws Failure
 * `log-partition-lost`, and what kafkajs throws.
 */
export async function commitAs(
  consumer: Consumer,
  group: string,
  places: AssignedPartitions,
  positions: readonly Position[],
): Promise<void> {
  const held = new Map<Position, ConsumedPlace | undefined>(
    positions.map((position) => [position, places.get(position.topic, position.partition)]),
  );
  const missing = new Set(
    positions.map(({ topic, partition, offset }) => ({ topic, partition, offset: `${offset}` })),
  );
  const wanted = [...missing];
  const deaf = consumer.on(consumer.events.COMMIT_OFFSETS, ({ payload }) => {
    for (const { topic, partitions } of payload.topics) {
      for (const { partition, offset } of partitions)
        for (const place of missing)
          if (isSame(place, { topic, partition, offset: `${offset}` })) missing.delete(place);
    }
  });
  try {
    await consumer.commitOffsets(wanted);
  } finally {
    deaf();
  }
  for (const [position, place] of held)
    if (!place || place.lost) throw partitionLost(group, position); // it may have tried again in a later generation
  for (const { topic, partition, offset } of missing)
    throw partitionLost(group, { topic, partition, offset: BigInt(offset) });
}
