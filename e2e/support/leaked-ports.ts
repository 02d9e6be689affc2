import { randomUUID } from 'node:crypto';
import { operation, type Session } from '@ovn-steward/ovsdb';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { findingsOf, type Servers } from './reference';

const SWITCH = 'apps';

/**
 * Ports of pods that never were, as Kube-OVN writes ports: so many on one switch.
 * @returns their uuids.
 */
export async function plantPorts(
  session: Session,
  prefix: string,
  count: number,
): Promise<readonly string[]> {
  const [found] = (
    await session.transact([
      operation.select('Logical_Switch', [['name', '==', SWITCH]], ['_uuid']),
    ])
  ).results;
  if (found?.kind !== 'selected' || found.rows[0] === undefined)
    throw new Error(`there is no switch ${SWITCH}`);
  const [, parent] = found.rows[0]['_uuid'] as [string, string];
  const ports = Array.from({ length: count }, (_, n) => ({
    pod: `${prefix}-${n}`,
    uuid: randomUUID(),
  }));
  const planted = await session.transact([
    ...ports.map(({ pod, uuid }) =>
      operation.insert(
        'Logical_Switch_Port',
        {
          name: `${pod}.${SWITCH}`,
          external_ids: operation.map([
            ['vendor', 'kube-ovn'],
            ['ls', SWITCH],
            ['pod', `${SWITCH}/${pod}`],
          ]),
        },
        uuid,
      ),
    ),
    operation.mutate('Logical_Switch', operation.byUuid(parent), [
      ['ports', 'insert', operation.set(ports.map(({ uuid }) => operation.uuid(uuid)))],
    ]),
  ]);
  if (!planted.ok)
    throw new Error(`the ports could not be planted: ${JSON.stringify(planted.error)}`);
  return ports.map(({ uuid }) => uuid);
}

/**
 * What an audit finds of these ports, as an analyzer would confirm it after its grace. Fails unless
 * that is exactly all of them.
 */
export async function confirmedFindings(
  servers: Servers,
  cluster: string,
  ports: readonly string[],
): Promise<readonly Finding[]> {
  const wanted = new Set(ports);
  const found = (await findingsOf(servers, cluster)).filter(
    (it) => it.rule === 'orphaned-logical-switch-port' && wanted.has(it.subject.uid),
  );
  if (found.length !== ports.length)
    throw new Error(`${found.length} of the ${ports.length} planted ports were found`);
  return found.map((it) => ({ ...it, state: 'confirmed', revision: 2, confirmedAt: it.lastSeen }));
}
