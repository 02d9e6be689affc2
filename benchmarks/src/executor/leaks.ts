import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { operation, type Session } from '@ovn-steward/ovsdb';
import type { Proposal } from '@ovn-steward/executor';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { STEWARD } from '../steward';

const SWITCH = 'apps';
const AT_ONCE = 500;

/**
 * Ports of pods that never were, as Kube-OVN writes ports: so many on one switch.
 * @returns their names.
 */
export async function plantLeaks(
  session: Session,
  count: number,
  prefix: string,
): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, n) => `${prefix}-${n}.bench`);
  const [found] = (
    await session.transact([
      operation.select('Logical_Switch', [['name', '==', SWITCH]], ['_uuid']),
    ])
  ).results;
  const parent =
    found?.kind === 'selected' ? (found.rows[0]?.['_uuid'] as [string, string])[1] : '';
  for (let from = 0; from < count; from += AT_ONCE) {
    const ports = names.slice(from, from + AT_ONCE).map((name) => ({ name, uuid: randomUUID() }));
    const planted = await session.transact([
      ...ports.map(({ name, uuid }) =>
        operation.insert(
          'Logical_Switch_Port',
          {
            name,
            external_ids: operation.map([
              ['vendor', 'kube-ovn'],
              ['ls', SWITCH],
              ['pod', `bench/${name.slice(0, -'.bench'.length)}`],
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
      throw new Error(`the leaks could not be planted: ${JSON.stringify(planted.error)}`);
  }
  return names;
}

/** Takes what is left of them away, many at once. */
export async function dropLeaks(session: Session, prefix: string): Promise<void> {
  const [found] = (
    await session.transact([operation.select('Logical_Switch_Port', [], ['_uuid', 'name'])])
  ).results;
  const left =
    found?.kind === 'selected'
      ? found.rows
          .filter((it) => String(it['name']).startsWith(`${prefix}-`))
          .map((it) => (it['_uuid'] as [string, string])[1])
      : [];
  for (let from = 0; from < left.length; from += AT_ONCE) {
    const dropped = await session.transact([
      operation.mutate(
        'Logical_Switch',
        [['name', '==', SWITCH]],
        [
          [
            'ports',
            'delete',
            operation.set(left.slice(from, from + AT_ONCE).map((it) => operation.uuid(it))),
          ],
        ],
      ),
    ]);
    if (!dropped.ok)
      throw new Error(`the leaks could not be dropped: ${JSON.stringify(dropped.error)}`);
  }
}

/** Ports of somebody else's on a switch of their own. */
export async function plantOthers(session: Session, count: number): Promise<void> {
  if (count === 0) return;
  const parent = randomUUID();
  await session.transact([operation.insert('Logical_Switch', { name: 'others' }, parent)]);
  for (let from = 0; from < count; from += AT_ONCE) {
    const ports = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => ({
      name: `other-${from + n}`,
      uuid: randomUUID(),
    }));
    const planted = await session.transact([
      ...ports.map(({ name, uuid }) =>
        operation.insert(
          'Logical_Switch_Port',
          { name, addresses: 'unknown', external_ids: operation.map([['vendor', 'other']]) },
          uuid,
        ),
      ),
      operation.mutate('Logical_Switch', operation.byUuid(parent), [
        ['ports', 'insert', operation.set(ports.map(({ uuid }) => operation.uuid(uuid)))],
      ]),
    ]);
    if (!planted.ok)
      throw new Error(`the other ports could not be planted: ${JSON.stringify(planted.error)}`);
  }
}

/**
 * What an audit finds of these ports, as if its grace were over. Fails unless that is exactly all
 * of them.
 */
export async function findLeaks(
  ovnNb: string,
  kubeconfig: string,
  cluster: string,
  names: readonly string[],
): Promise<readonly Proposal[]> {
  const args = [
    STEWARD,
    'audit',
    '--ovn-nb',
    ovnNb,
    '--kubernetes',
    kubeconfig,
    '--cluster',
    cluster,
    '--output',
    'json',
    '--timeout',
    '120',
  ];
  const stdout = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 30 }).then(
    (it) => it.stdout,
    (error: { stdout?: string }) => error.stdout ?? '',
  );
  const wanted = new Set(names);
  const found = (JSON.parse(stdout) as { findings: Finding[] }).findings.filter(
    (it) => it.rule === 'orphaned-logical-switch-port' && wanted.has(it.subject.name),
  );
  if (found.length !== names.length)
    throw new Error(`${found.length} of the ${names.length} leaked ports were found`);
  return found.map((it) => ({ ...it, state: 'confirmed', confirmedAt: it.lastSeen }) as Proposal);
}
