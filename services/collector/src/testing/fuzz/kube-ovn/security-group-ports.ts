import { operation as op } from '@ovn-steward/ovsdb';
import { nameOf } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { type Cluster, keyIn, rowNamed, uuidsOf } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { isLive, machineOf, networksOf } from './pod';
import { isAtLeast } from './releases';
import { groupsOfPort, groupsSaid, KEY, LIST, namesIn } from './security-group-keys';
import { DENY_ALL, portGroupOf, setsOfGroup } from './security-group-rows';
import { addressesIn } from './write-policy';

/** Ports by their keys, into the group and its sets; then what drops the rest (syncSgLogicalPort). */
export function* syncPorts(controller: Controller, name: string): Job {
  const { cluster } = controller;
  const deny = () => controller.enqueueOnce(`sg ${DENY_ALL}`, () => syncDenied(cluster));
  const found = cluster.objects.get('SecurityGroup', undefined, name);
  const ports = [...cluster.rows('Logical_Switch_Port')].filter(([, row]) =>
    groupsOfPort(row['external_ids']).includes(name),
  );
  if (!found) {
    if (resweeps(cluster)) deny();
    return;
  }
  const { portGroup = '' } = (found['status'] ?? {}) as { portGroup?: string };
  if (!rowNamed(cluster, 'Port_Group', portGroup)) return;
  if (
    setPorts(
      cluster,
      portGroup,
      ports.map(([uid]) => uid),
    )
  )
    yield;
  const [set] = setsOfGroup(name);
  const [uid, row] = rowNamed(cluster, 'Address_Set', set) ?? [];
  if (uid === undefined || row === undefined) return;
  // Two ports may have one address, which is listed once (AddressSetUpdateAddress).
  const all = ports.flatMap(([, port]) => String(port['addresses']).split(' ').slice(1));
  const addresses = [...new Set(all)].sort();
  if (addressesIn(row['addresses']).join() !== addresses.join()) {
    cluster.write(op.update('Address_Set', op.byUuid(uid), { addresses: op.set(addresses) }));
    yield;
  }
  deny();
}

/** Whether a port whose groups are gone is looked at again (#5850). */
const resweeps = ({ release }: Cluster): boolean =>
  isAtLeast(release, 1, 15) || release.version === 'v1.14.41';

/** Ports that list a group which is there (updateDenyAllSgPorts). */
export function* syncDenied(cluster: Cluster): Job {
  const ports = [...cluster.rows('Logical_Switch_Port')].filter(([, row]) => {
    const ids = row['external_ids'];
    if (row['type'] !== '' || keyIn(ids, 'vendor') !== 'kube-ovn') return false;
    const listed = (keyIn(ids, LIST) ?? '').split('/').filter((it) => it !== '');
    return listed.some((it) => rowNamed(cluster, 'Port_Group', portGroupOf(it)));
  });
  if (
    setPorts(
      cluster,
      portGroupOf(DENY_ALL),
      ports.map(([uid]) => uid),
    )
  )
    yield;
}

function setPorts(cluster: Cluster, group: string, ports: readonly string[]): boolean {
  const [uid, row] = rowNamed(cluster, 'Port_Group', group) ?? [];
  if (uid === undefined || row === undefined) return false;
  if (uuidsOf(row['ports']).sort().join() === [...ports].sort().join()) return false;
  const all = op.set(ports.map((it) => op.uuid(it)));
  cluster.write(op.update('Port_Group', op.byUuid(uid), { ports: all }));
  cluster.diary.push(`group ${group} has ${ports.length} ports`);
  return true;
}

export function syncNamed(controller: Controller, names: Iterable<string>): void {
  for (const it of new Set(names))
    controller.enqueueOnce(`sg ${it}`, () => syncPorts(controller, it));
}

/** The keys of its ports that changed, one after the other, then the list (reconcilePortSg). */
function* rekey(controller: Controller, namespace: string, name: string): Job {
  const { cluster } = controller;
  const pod = cluster.objects.get('Pod', namespace, name);
  if (!isLive(pod)) return;
  for (const { provider, suffix } of networksOf(cluster, pod)) {
    const said = groupsSaid(pod, provider).replaceAll(' ', '');
    syncNamed(controller, namesIn(said));
    const port = nameOf({ namespace, pod: machineOf(pod) ?? name, suffix });
    const [uid, row] = rowNamed(cluster, 'Logical_Switch_Port', port) ?? [];
    if (uid === undefined || row === undefined) continue;
    const before = groupsOfPort(row['external_ids']);
    const after = namesIn(said);
    const differing = [...before, ...after].filter(
      (it) => before.includes(it) !== after.includes(it),
    );
    for (const group of differing) {
      if (!setKey(cluster, uid, KEY + group, String(after.includes(group)))) return;
      yield;
      syncNamed(controller, [group]);
    }
    if (!setKey(cluster, uid, LIST, said.replaceAll(',', '/'))) return;
    yield;
  }
}

function setKey(cluster: Cluster, port: string, key: string, value: string): boolean {
  const row = cluster.rows('Logical_Switch_Port').get(port);
  if (!row) return false;
  const ids = (row['external_ids'] as ['map', [string, string][]])[1].filter(([it]) => it !== key);
  const external_ids = op.map([...ids, [key, value]]);
  cluster.write(op.update('Logical_Switch_Port', op.byUuid(port), { external_ids }));
  return true;
}

/** A pod that says something else than before, as far as it was heard (enqueueUpdatePod). */
export const groupsOfPods: Handler = (controller, event) => {
  if (event.is === 'all') return;
  const { namespace = '', name, uid } = event.object.metadata;
  const nets = networksOf(controller.cluster, event.object);
  if (event.is === 'gone')
    return syncNamed(
      controller,
      nets.flatMap((it) => namesIn(groupsSaid(event.object, it.provider))),
    );
  const said = nets.map((it) => groupsSaid(event.object, it.provider)).join(';');
  const before = controller.memory.get(`groups of ${uid}`) ?? said;
  controller.memory.set(`groups of ${uid}`, said);
  if (before !== said)
    controller.enqueueOnce(`groups of ${namespace}/${name}`, () =>
      rekey(controller, namespace, name),
    );
};
