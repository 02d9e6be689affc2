import { operation as op } from '@ovn-steward/ovsdb';
import type { JsonColumns } from '@ovn-steward/ovsdb/testing/memory-database';
import { add } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { type Cluster, recordHarm, rowNamed, uuidsOf } from '../cluster';
import type { Job } from './controller';
import { allowancesOf, keysOf, type PolicyGroup, setsOf } from './policy-acls';

/** Sets first, then what they have in them, then all ACLs at once; old ones go with them. */
export function* writePolicy(cluster: Cluster, group: PolicyGroup): Job {
  const sets = setsOf(cluster, group);
  for (const [name, addresses] of sets) yield* writeSet(cluster, group, name, addresses);
  yield* writeAcls(cluster, group);
  for (const label of [...cluster.labels.values()])
    if (label.name.startsWith(`${group.name}.ingress.allow.`) && !sets.has(label.name)) {
      if (!cluster.rows('Address_Set').has(label.uid)) continue;
      recordHarm(cluster, label.uid);
      cluster.write(op.remove('Address_Set', op.byUuid(label.uid)));
      yield;
    }
}

function* writeSet(
  cluster: Cluster,
  { namespace, policy }: PolicyGroup,
  name: string,
  addresses: readonly string[],
): Job {
  let [uid, row] = rowNamed(cluster, 'Address_Set', name) ?? [];
  if (uid === undefined) {
    uid = cluster.random.uuid();
    const keys = keysOf(cluster, { np: `${namespace}/${policy}/ingress` });
    cluster.write(op.insert('Address_Set', { name, external_ids: keys }, uid));
    const owners = [{ kind: 'NetworkPolicy', namespace, name: policy }];
    cluster.labels.set({ kind: 'Address_Set', uid, name, by: 'kube-ovn', owners, addresses: [] });
    yield;
    row = undefined;
  }
  const held = addressesIn(row?.['addresses'] ?? ['set', []]);
  if (held.join() === addresses.join() || !cluster.rows('Address_Set').has(uid)) return;
  cluster.write(op.update('Address_Set', op.byUuid(uid), { addresses: op.set([...addresses]) }));
  yield;
}

/** The addresses in a column that holds one, none or many; none where there is no row. */
export const addressesIn = (json: unknown): string[] =>
  typeof json === 'string'
    ? [json].filter((it) => it !== '')
    : [...(json as ['set', string[]])[1]].sort();

/** What it matches, and the meter it names. */
const aclText = (acl: JsonColumns | undefined): string =>
  `${String(acl?.['match'])} ${typeof acl?.['meter'] === 'string' ? acl['meter'] : ''}`;

function* writeAcls(cluster: Cluster, group: PolicyGroup): Job {
  const { uid, name, hasPorts, meter } = group;
  if (!cluster.rows('Port_Group').has(uid)) return;
  const held = uuidsOf(cluster.rows('Port_Group').get(uid)?.['acls'] ?? ['set', []]);
  const drop = { match: `outport == @${name} && ip`, of: ['drop'] };
  const wanted = hasPorts ? [drop, ...allowancesOf(cluster, group)] : [];
  const have = held.map((it) => aclText(cluster.rows('ACL').get(it)));
  const ask = wanted.map((it) => (it === drop ? `${it.match} ${meter ?? ''}` : `${it.match} `));
  if (have.sort().join('\n') === ask.sort().join('\n')) return;
  const holder = { table: 'Port_Group', uuid: uid, column: 'acls' };
  const writes = wanted.flatMap(({ match, of }) => {
    const uuid = cluster.random.uuid();
    const isDrop = of.includes('drop');
    cluster.labels.set({
      kind: 'ACL',
      uid: uuid,
      name: of.join('; '),
      by: 'kube-ovn',
      owners: [{ kind: 'NetworkPolicy', namespace: group.namespace, name: group.policy }],
      addresses: [],
    });
    return add(
      'ACL',
      uuid,
      {
        direction: 'to-lport',
        priority: isDrop ? 2000 : 2001,
        action: isDrop ? 'drop' : 'allow-related',
        match,
        ...(cluster.release.movesTiers && { tier: 2 }),
        ...(isDrop && meter !== undefined && { log: true, severity: 'warning', meter }),
        external_ids: keysOf(cluster, { parent: name }),
      },
      holder,
    );
  });
  cluster.write(op.update('Port_Group', op.byUuid(uid), { acls: op.set([]) }), ...writes);
  cluster.diary.push(`group ${name} has ${wanted.length} ACLs`);
  yield;
}
