import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { annotationOf, type Cluster } from '../cluster';
import { gatewayOf, gatewayPolicies } from '../kube-ovn/gateways';
import { isLive } from '../kube-ovn/pod';
import { givenTo } from '../kube-ovn/vips';
import type { Ill } from './ill';

const KEY = 'ovn.kubernetes.io/';

/** What is wrong with the policies of pods that have a gateway of their own. */
export function* gatewayIlls(cluster: Cluster): Generator<Ill> {
  const sources = new Map([...gatewayPolicies(cluster)].map((it) => [it.source, it.uid]));
  const pods = [...cluster.objects.all('Pod')];
  for (const pod of pods) {
    const address = annotationOf(pod, `${KEY}ip_address`) ?? '';
    const isRouted = isLive(pod) && annotationOf(pod, `${KEY}routed`) === 'true';
    if (isRouted && gatewayOf(cluster, pod) !== undefined && !sources.has(address))
      yield {
        rule: 'pod-gateway-policy-missing',
        uid: pod.metadata.uid,
        what: `pod ${pod.metadata.name} with ${address} asks for a gateway, and nothing leads there`,
        expected: 'must',
      };
  }
  for (const [source, uid] of sources) {
    if (pods.some((it) => isFor(it, source))) continue;
    const holders = [...cluster.objects.all('IP')].filter(
      (it) => (it['spec'] as { ipAddress?: string }).ipAddress === source,
    );
    const isShared = [...cluster.objects.all('Vip')].some((it) => givenTo(it) === source);
    yield {
      rule: 'stale-gateway-policy',
      uid,
      what: `the policy of ${source} is for nobody`,
      // Whether an address without a record is free only the memory of Kube-OVN says; for whom a
      // Vip has it as well, nothing does.
      expected:
        !isShared && holders.length > 0 && holders.every((it) => isOfOther(cluster, it))
          ? 'must'
          : 'may',
    };
  }
}

/** Whether the pod has that address and a gateway of its own, whatever became of the pod. */
const isFor = (pod: KubernetesObject, source: string): boolean =>
  annotationOf(pod, `${KEY}ip_address`) === source && asks(pod);

const asks = (pod: KubernetesObject): boolean =>
  ['north_gateway', 'eip', 'snat'].some((it) => annotationOf(pod, KEY + it) !== undefined);

/** Whether the record is of a pod that lives, and asks for no gateway. */
function isOfOther(cluster: Cluster, ip: KubernetesObject): boolean {
  const { namespace = '', podName = '' } = ip['spec'] as Record<string, string>;
  const pod = cluster.objects.get('Pod', namespace, podName);
  return isLive(pod) && !asks(pod);
}
