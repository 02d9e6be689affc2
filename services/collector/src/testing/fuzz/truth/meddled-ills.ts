import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { annotationOf, type Cluster, rowNamed } from '../cluster';
import { EXTERNAL, VLAN } from '../create-external';
import { isLive, machineOf, networksOf } from '../kube-ovn/pod';
import { POOL, POOL_SIZE } from '../others/meddlers';
import type { Ill } from './ill';

/** What somebody wrote over what Kube-OVN had written. */
export function* meddledIlls(cluster: Cluster): Generator<Ill> {
  const pool = cluster.objects.get('IPPool', undefined, POOL);
  const counted = (pool?.['status'] as { v4AvailableIPs: number } | undefined)?.v4AvailableIPs;
  if (pool && counted !== POOL_SIZE)
    yield {
      rule: 'ip-pool-usage-drift',
      uid: pool.metadata.uid,
      what: `it counts ${counted} of ${POOL_SIZE}`,
      expected: 'must',
    };
  const vlan = cluster.objects.get('Vlan', undefined, VLAN);
  const subnet = cluster.objects.get('Subnet', undefined, EXTERNAL);
  if (subnet && (vlan?.['status'] as { conflict?: boolean } | undefined)?.conflict === true)
    yield {
      rule: 'vlan-of-subnet-in-conflict',
      uid: subnet.metadata.uid,
      what: `Vlan ${VLAN} conflicts`,
      expected: 'must',
    };
  yield* movedPorts(cluster);
}

/** Pods whose port has another address than they were told. */
function* movedPorts(cluster: Cluster): Generator<Ill> {
  for (const pod of cluster.objects.all('Pod')) {
    const { phase } = (pod['status'] ?? {}) as { phase?: string };
    if (!isLive(pod) || phase !== 'Running') continue;
    for (const { provider, suffix } of networksOf(cluster, pod))
      yield* movedPort(cluster, pod, provider, suffix);
  }
}

function* movedPort(
  cluster: Cluster,
  pod: KubernetesObject,
  provider: string,
  suffix: string,
): Generator<Ill> {
  const { namespace, name, uid } = pod.metadata;
  const address = annotationOf(pod, `${provider}.kubernetes.io/ip_address`);
  // Launchers of one machine have one port: who of them got it last says where it is.
  const port = `${machineOf(pod) ?? name}.${namespace}${suffix}`;
  const [, row] = rowNamed(cluster, 'Logical_Switch_Port', port) ?? [];
  if (address === undefined || row === undefined) return;
  const has = String(row['addresses']).split(' ').slice(1);
  // One that was found without its port is being given another address.
  const isServed = annotationOf(pod, `${provider}.kubernetes.io/allocated`) === 'true';
  if (!has.includes(address))
    yield {
      rule: 'pod-address-disagrees',
      uid,
      what: `the port ${port} of ${namespace}/${name} has ${has.join(' ')}, not ${address}`,
      // Only those of the default network are meddled with.
      expected: isServed && provider === 'ovn' ? 'must' : 'may',
    };
}
