import { type Cluster, deleteObject } from '../cluster';
import { makeEip } from './external-addresses';

const EIPS = [1, 2] as const;
/** Addresses inside, of no pool, as those of appliances. */
const TARGETS = [201, 202] as const;

/** External addresses are made and go; floating IPs lead to them and are deleted, some by force. */
export function changeFloatingIp(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  const nth = random.pick(EIPS);
  const eipName = `eip-${nth}`;
  const name = `fip-${nth}`;
  const eip = objects.get('OvnEip', undefined, eipName);
  const fip = objects.get('OvnFip', undefined, name);
  if (!eip) {
    makeEip(cluster, eipName, nth);
  } else if (!fip && random.chance(0.75)) {
    const target = random.pick(TARGETS);
    cluster.put({
      kind: 'OvnFip',
      metadata: { name },
      spec: {
        ovnEip: eipName,
        vpc: 'ovn-cluster',
        v4Ip: `10.17.0.${target}`,
        v6Ip: `fd00::${target}`,
      },
    });
    diary.push(`OvnFip ${name} to ${target} made`);
  } else if (!fip) {
    objects.remove('OvnEip', undefined, eipName);
    diary.push(`OvnEip ${eipName} deleted`);
  } else deleteObject(cluster, fip, random.chance(0.3));
}
