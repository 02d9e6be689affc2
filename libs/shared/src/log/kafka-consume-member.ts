import { type Broker, type Cluster, type PartitionAssigner, PartitionAssigners } from 'kafkajs';
import { withCluster } from './kafka-read-cluster';

/**
 * What kafkajs does not expose of a consumer's membership in its group, seen through the assigner
 * of partitions that it calls.
 */
export interface GroupMember {
  readonly assigner: PartitionAssigner;
  /** The consumer's own way to the brokers. */
  cluster(): Cluster;
  /** Whether it waits for the group: others may take their time. */
  joining(): boolean;
  /**
   * Called at each join; returns whether what was ours before cannot have been another's meanwhile.
   */
  joined(memberId: string): boolean;
  /** As the coordinator knows it, once it joined. */
  id(): string | undefined;
}

export function createMember(): GroupMember {
  let lent: Cluster | undefined;
  let attempts = 0;
  let id: string | undefined;
  const counting: PartitionAssigner = (config) => {
    const assigner = PartitionAssigners.roundRobin(config);
    return {
      name: assigner.name,
      version: assigner.version,
      assign: (group) => assigner.assign(group),
      protocol(subscription) {
        // called at each attempt to join
        attempts += 1;
        return assigner.protocol(subscription);
      },
    };
  };
  return {
    assigner: withCluster((cluster) => void (lent = cluster), counting),
    cluster() {
      if (!lent) throw new TypeError('kafkajs gave its partition assigner no cluster');
      return lent;
    },
    joining: () => attempts > 0,
    /**
     * The coordinator forgets a member that misses a generation: the same id means none was missed.
     * A second attempt means there was a generation whose assignment we never heard.
     */
    joined(memberId) {
      const unbroken = memberId === id && attempts === 1;
      attempts = 0;
      id = memberId;
      return unbroken;
    },
    id: () => id,
  };
}

/** kafkajs has it, and its types do not. */
interface Coordinator extends Broker {
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>;
}

/**
 * Takes a member that broke down out of its group, which would else wait for it until its session
 * ends. Throws what kafkajs throws.
 */
export async function sendAway(cluster: Cluster, groupId: string, memberId: string): Promise<void> {
  const coordinator = (await cluster.findGroupCoordinator({ groupId })) as Coordinator;
  await coordinator.leaveGroup({ groupId, memberId }).catch((error: { readonly type?: string }) => {
    if (error.type !== 'UNKNOWN_MEMBER_ID') throw error; // it left already
  });
}
