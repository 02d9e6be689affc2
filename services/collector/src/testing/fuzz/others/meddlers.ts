import { operation as op } from '@ovn-steward/ovsdb';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { type Cluster, rowNamed } from '../cluster';
import { VLAN } from '../create-external';
import { isLive } from '../kube-ovn/pod';

export const POOL = 'front';
/** What the pool lists, as Kube-OVN writes it: ten addresses, of which nobody has one. */
const LISTED = { v4AvailableIPRange: '10.17.0.200-10.17.0.209', v4UsingIPRange: '' } as const;
export const POOL_SIZE = 10;

/** Addresses that no subnet has. */
const ASTRAY = '10.250.0.';

/** Somebody edits what Kube-OVN writes once, or writes for others. */
export function meddle(cluster: Cluster): void {
  const what = cluster.random.int(3);
  if (what === 0) countPool(cluster);
  else if (what === 1) disputeVlan(cluster);
  else movePort(cluster);
}

/** A pool is made, counted wrongly or rightly, or goes. */
function countPool(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  if (objects.get('IPPool', undefined, POOL) && random.chance(0.2)) {
    objects.remove('IPPool', undefined, POOL);
    diary.push(`IPPool ${POOL} deleted`);
    return;
  }
  const v4AvailableIPs = random.chance(0.5) ? POOL_SIZE : random.int(POOL_SIZE);
  cluster.put({
    kind: 'IPPool',
    metadata: { name: POOL },
    spec: { subnet: 'apps', ips: ['10.17.0.200..10.17.0.209'] },
    status: { ...LISTED, v4AvailableIPs, v4UsingIPs: 0 },
  });
  diary.push(`IPPool ${POOL} counts ${v4AvailableIPs} available`);
}

/** Another Vlan has its id, or no longer: what a controller from v1.14 on writes down. */
function disputeVlan(cluster: Cluster): void {
  const vlan = cluster.objects.get('Vlan', undefined, VLAN);
  if (!vlan) return;
  const conflict = cluster.random.chance(0.5);
  cluster.put({ ...vlan, status: { conflict } } as unknown as GivenObject);
  cluster.diary.push(`Vlan ${VLAN} ${conflict ? 'conflicts' : 'does not conflict'}`);
}

/**
 * The port of a pod is given another address. It keeps its MAC address: where most ports of so
 * small a cluster had others, its two systems would rightly not be taken for one cluster.
 */
function movePort(cluster: Cluster): void {
  const { random } = cluster;
  const pod = random.maybe([...cluster.objects.all('Pod')].filter(isLive));
  const name = `${pod?.metadata.name}.${pod?.metadata.namespace}`;
  const [uid, row] = rowNamed(cluster, 'Logical_Switch_Port', name) ?? [];
  if (uid === undefined || row === undefined || !cluster.labels.get(uid)) return;
  const [mac] = String(row['addresses']).split(' ');
  const address = `${ASTRAY}${1 + random.int(250)}`;
  const addresses = `${mac} ${address}`;
  cluster.write(op.update('Logical_Switch_Port', op.byUuid(uid), { addresses }));
  cluster.diary.push(`port ${name} was given ${address}`);
}
