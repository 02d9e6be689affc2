import { type Cluster, type Kafka, type PartitionAssigner, PartitionAssigners } from 'kafkajs';

/** Hands on what kafkajs gives every assigner of partitions: its way to the brokers. */
export function withCluster(
  learn: (cluster: Cluster) => void,
  assigner: PartitionAssigner = PartitionAssigners.roundRobin,
): PartitionAssigner {
  return (config) => {
    learn(config.cluster);
    return assigner(config);
  };
}

/**
 * kafkajs reads for groups only, but its way to the brokers can fetch from any partition, and says
 * what a broker answered. A consumer that is never run, and so joins no group, lends us one of its
 * own.
 */
export function openCluster(kafka: Kafka): Cluster {
  let lent: Cluster | undefined;
  kafka.consumer({
    groupId: 'none',
    allowAutoTopicCreation: false,
    partitionAssigners: [withCluster((cluster) => void (lent = cluster))],
  });
  if (!lent) throw new TypeError('kafkajs gave its partition assigner no cluster');
  return lent;
}
