import { type Cluster, deleteObject } from '../cluster';
import { addressIn } from '../kube-ovn/ipam';
import { SERVED_POOLS } from '../kube-ovn/ip-pools';

/** Pools of addresses, some of which pods have, come and go, some by force. */
export function changePool(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  const [name, subnet] = random.pick(Object.entries(SERVED_POOLS));
  const pool = objects.get('IPPool', undefined, name);
  if (!pool) {
    const ips = Array.from({ length: 10 }, (_, nth) => addressIn(subnet, 2 + nth));
    const spec = { subnet, ips, enableAddressSet: random.chance(0.7) };
    cluster.put({ kind: 'IPPool', metadata: { name }, spec });
    diary.push(`IPPool ${name} made${spec.enableAddressSet ? ' with a set' : ''}`);
  } else deleteObject(cluster, pool, random.chance(0.15));
}
