import { annotationOf, type Cluster } from '../cluster';
import { LAB, subnetsGiven, subnetsListing } from '../kube-ovn/namespaces';
import { isLive } from '../kube-ovn/pod';
import type { Ill } from './ill';

const KEY = 'ovn.kubernetes.io/';

/**
 * Pods that stayed in a subnet which their namespace had before. Only those of which nobody asked
 * for their subnet or address, and which are made again when they are deleted.
 */
export function* placementIlls(cluster: Cluster): Generator<Ill> {
  const right = new Set([...subnetsGiven(cluster, LAB), ...subnetsListing(cluster, LAB)]);
  for (const pod of cluster.objects.all('Pod')) {
    const { namespace, name, uid } = pod.metadata;
    const subnet = annotationOf(pod, `${KEY}logical_switch`);
    const isServed = annotationOf(pod, `${KEY}allocated`) === 'true';
    if (namespace !== LAB || !name.startsWith('plain-') || !isLive(pod) || !isServed) continue;
    if (subnet !== undefined && !right.has(subnet))
      yield {
        rule: 'misplaced-pod',
        uid,
        what: `pod ${name} is still in ${subnet}`,
        expected: 'must',
      };
  }
}
