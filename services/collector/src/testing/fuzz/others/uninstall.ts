import { crdNameOf, KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { operation as op } from '@ovn-steward/ovsdb';
import { type Cluster, deleteObject } from '../cluster';
import { isOfKubeOvn } from '../truth/uninstall-ills';

/**
 * Kinds whose finalizers the chart takes off. Those of the others stay, and with them the objects
 * (kube-ovn.md §7.4).
 */
const FREED: ReadonlySet<string> = new Set(['Subnet', 'Vpc', 'IP']);
const OWN_KINDS = KUBERNETES_KINDS.filter((it) => it.group === 'kubeovn.io');

/**
 * Kube-OVN is uninstalled: its controller, mostly its objects, and then what its nodes run. What is
 * in the Northbound stays. Some uninstalls end half-way.
 */
export function uninstall(cluster: Cluster): void {
  const { objects, random, diary } = cluster;
  objects.remove('Deployment', 'kube-system', 'kube-ovn-controller');
  removePods(cluster, (namespace) => namespace === 'kube-system');
  diary.push('Kube-OVN is uninstalled');
  if (random.chance(0.15)) return;
  const kept = random.chance(0.25) ? random.pick(['Subnet', 'Vpc']) : undefined;
  for (const { kind } of OWN_KINDS)
    for (const object of [...objects.all(kind)].slice(kind === kept ? 1 : 0))
      deleteObject(cluster, object, FREED.has(kind));
  if (random.chance(0.5)) dropDefinitions(cluster);
  // Pods are made again in the network that comes after.
  if (random.chance(0.8)) removePods(cluster, () => true);
  if (random.chance(0.8)) takeDown(cluster);
}

/** The charts of v1.13 to v1.16 delete the definitions, which go when their last object has gone. */
function dropDefinitions({ objects, diary }: Cluster): void {
  for (const kind of OWN_KINDS)
    if ([...objects.all(kind.kind)].length === 0)
      objects.remove('CustomResourceDefinition', undefined, crdNameOf(kind)!);
  diary.push('its definitions are deleted');
}

function removePods({ objects }: Cluster, isOf: (namespace: string | undefined) => boolean): void {
  for (const { metadata } of [...objects.all('Pod')])
    if (isOf(metadata.namespace)) objects.remove('Pod', metadata.namespace, metadata.name);
}

/** Its chassis hold no port any more. */
function takeDown(cluster: Cluster): void {
  for (const [uuid, row] of [...cluster.rows('Logical_Switch_Port')])
    if (row['up'] === true && isOfKubeOvn(cluster, uuid, row))
      cluster.write(op.update('Logical_Switch_Port', op.byUuid(uuid), { up: false }));
  cluster.diary.push('its ports went down');
}
