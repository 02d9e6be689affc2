import {
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  Kafka,
  logLevel,
  ResourcePatternTypes,
} from 'kafkajs';

/** What a user may do: an operation on a resource, from anywhere. */
export interface KafkaAcl {
  readonly user: string;
  readonly resource: 'topic' | 'group' | 'cluster' | 'transactional-id';
  /**
   * The resource's name, or with `prefix` what its name begins with; `*` is all. A cluster has the
   * one name `kafka-cluster`.
   */
  readonly name: string;
  readonly prefix?: boolean;
  readonly operations: readonly (keyof typeof AclOperationTypes)[];
}

const RESOURCES = {
  topic: AclResourceTypes.TOPIC,
  group: AclResourceTypes.GROUP,
  cluster: AclResourceTypes.CLUSTER,
  'transactional-id': AclResourceTypes.TRANSACTIONAL_ID,
} as const;

/**
 * Allows it, asked by the anonymous super user. Brokers act by it at once, or a few tenths of a
 * second later.
 */
export async function allow(
  bootstrap: readonly string[],
  acls: readonly KafkaAcl[],
): Promise<void> {
  if (acls.length === 0) return;
  const admin = new Kafka({
    clientId: 'testbed',
    brokers: [...bootstrap],
    logLevel: logLevel.NOTHING,
  }).admin();
  await admin.connect();
  try {
    const acl = acls.flatMap(({ user, resource, name, prefix, operations }) =>
      operations.map((operation) => ({
        resourceType: RESOURCES[resource],
        resourceName: name,
        resourcePatternType:
          prefix === true ? ResourcePatternTypes.PREFIXED : ResourcePatternTypes.LITERAL,
        principal: `User:${user}`,
        host: '*',
        operation: AclOperationTypes[operation],
        permissionType: AclPermissionTypes.ALLOW,
      })),
    );
    await admin.createAcls({ acl });
  } finally {
    await admin.disconnect();
  }
}
