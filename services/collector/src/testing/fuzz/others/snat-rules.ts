import { type Cluster, deleteObject } from '../cluster';
import { editSpec } from './edit-spec';
import { dropNat, isReady, nats } from '../kube-ovn/floating-ips';
import { makeEip } from './external-addresses';

const EIP = 'eip-3';
const RULES = ['snat-apps', 'snat-data'] as const;
const BLOCK_OF = { 'snat-apps': '10.17.0.0/24', 'snat-data': '10.18.0.0/24' } as const;

const HALF_OF = { 'snat-apps': '10.17.0.0/25', 'snat-data': '10.18.0.0/25' } as const;

/**
 * Subnets get a common address outside, and lose it, some by force; one is to have it for half of its
 * addresses; a NAT goes by mistake.
 */
export function changeSnat(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  if (random.chance(0.15)) return takeNat(cluster);
  const name = random.pick(RULES);
  const rule = objects.get('OvnSnatRule', undefined, name);
  if (!objects.get('OvnEip', undefined, EIP)) {
    makeEip(cluster, EIP, 3);
  } else if (!rule && [...objects.all('OvnSnatRule')].length === 0 && random.chance(0.2)) {
    objects.remove('OvnEip', undefined, EIP);
    diary.push(`OvnEip ${EIP} deleted`);
  } else if (!rule) {
    cluster.put({
      kind: 'OvnSnatRule',
      metadata: { name },
      spec: { ovnEip: EIP, vpc: 'ovn-cluster', v4IpCidr: BLOCK_OF[name] },
    });
    diary.push(`OvnSnatRule ${name} made`);
  } else if (isReady(rule) && random.chance(0.25)) {
    editSpec(cluster, rule, { v4IpCidr: random.pick([BLOCK_OF[name], HALF_OF[name]]) });
  } else deleteObject(cluster, rule, random.chance(0.3));
}

function takeNat(cluster: Cluster): void {
  const type = cluster.random.pick(['snat', 'dnat_and_snat'] as const);
  const nat = cluster.random.maybe([...nats(cluster, type)]);
  if (nat) dropNat(cluster, nat.external, nat.logical, type);
}
