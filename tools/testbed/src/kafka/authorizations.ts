import type { KafkaAcl } from './acls';

/** Something a broker allowed somebody to do. */
export interface KafkaAuthorization {
  readonly user: string;
  readonly resource: KafkaAcl['resource'];
  readonly name: string;
  readonly operation: KafkaAcl['operations'][number];
}

const RESOURCES: Readonly<Record<string, KafkaAcl['resource']>> = {
  Topic: 'topic',
  Group: 'group',
  Cluster: 'cluster',
  TransactionalId: 'transactional-id',
};

/**
 * What was allowed to users, by the audit lines of a broker's log: Kafka's StandardAuthorizer
 * writes one for each to `kafka.authorizer.logger`, at level DEBUG. Each once.
 */
export function authorizationsIn(log: string): readonly KafkaAuthorization[] {
  const allowed = new Map<string, KafkaAuthorization>();
  for (const [, user, operation, type, name] of log.matchAll(ALLOWED)) {
    const resource = RESOURCES[type!];
    if (resource === undefined) continue;
    const authorization = {
      user: user!,
      resource,
      name: name!,
      operation: operation as KafkaAuthorization['operation'],
    };
    allowed.set(JSON.stringify(authorization), authorization);
  }
  return [...allowed.values()];
}

const ALLOWED =
  /Principal = User:(\S+) is Allowed operation = (\S+) from host = \S+ on resource = (\w+):LITERAL:(\S+) for request/g;
