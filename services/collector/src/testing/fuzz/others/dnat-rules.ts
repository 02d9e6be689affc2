import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { type Cluster, deleteObject } from '../cluster';
import { isReady } from '../kube-ovn/floating-ips';
import { take } from '../kube-ovn/networks';
import { isAtLeast } from '../kube-ovn/releases';
import { editSpec } from './edit-spec';
import { makeEip } from './external-addresses';

/** Two may be given one address, as where Kube-OVN forgot one of them at a start. */
const EIPS = { 'eip-d1': [4], 'eip-d2': [4, 5] } as const;
const RULES = { 'dnat-1': '8080', 'dnat-2': '8081' } as const;
/** To which a rule is changed that Kube-OVN made already; it is never served. */
const OTHER_PORT = '9090';
const namesOf = <T extends string>(all: Readonly<Record<T, unknown>>): T[] =>
  Object.keys(all) as T[];

/**
 * Ports of an external address are led inside and closed, some by force; one is to be another; a
 * balancer is taken.
 */
export function changeDnat(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  const eipName = random.pick(namesOf(EIPS));
  const name = random.pick(namesOf(RULES));
  const eip = objects.get('OvnEip', undefined, eipName);
  const rule = objects.get('OvnDnatRule', undefined, name);
  if (!eip) return makeOwned(cluster, eipName);
  const what = random.int(20);
  if (what < 3) {
    deleteObject(cluster, eip, false);
  } else if (what < 6) {
    take(cluster, 'Load_Balancer', name);
  } else if (!rule) {
    cluster.put({
      kind: 'OvnDnatRule',
      metadata: { name },
      spec: {
        ovnEip: eipName,
        vpc: 'ovn-cluster',
        v4Ip: '10.17.0.201',
        internalPort: '80',
        externalPort: RULES[name],
        protocol: 'tcp',
      },
    });
    diary.push(`OvnDnatRule ${name} made of ${eipName}`);
  } else if (what < 9 && isReady(rule) && isAtLeast(cluster.release, 1, 13)) {
    // v1.12 carries it out while it runs.
    editSpec(cluster, rule, { externalPort: random.pick([RULES[name], OTHER_PORT]) });
  } else deleteObject(cluster, rule, what < 12);
}

/** With the finalizer that Kube-OVN gives one that it serves. */
function makeOwned(cluster: Cluster, name: keyof typeof EIPS): void {
  makeEip(cluster, name, cluster.random.pick(EIPS[name]));
  const eip = cluster.objects.get('OvnEip', undefined, name)!;
  const metadata = { ...eip.metadata, finalizers: [cluster.release.finalizer] };
  cluster.put({ ...eip, metadata } as unknown as GivenObject);
}
