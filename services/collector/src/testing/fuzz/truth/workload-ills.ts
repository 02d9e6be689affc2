import type { Cluster } from '../cluster';
import { GATEWAY, RUNS_IN, WORKLOAD } from '../kube-ovn/nat-gateway-parts';
import { lbOf, podLabels, vpcLbOf } from '../kube-ovn/workloads';
import type { Ill } from './ill';

/** What Kube-OVN runs for somebody who is gone. What others run of such a name is theirs. */
export function* workloadIlls(cluster: Cluster): Generator<Ill> {
  const { objects } = cluster;
  const vpcLb = objects.get('Deployment', 'kube-system', vpcLbOf('tenant'));
  if (vpcLb && !objects.get('Vpc', undefined, 'tenant'))
    yield ill('orphaned-vpc-lb-deployment', vpcLb.metadata);
  for (const deployment of objects.all('Deployment')) {
    const { service, namespace = '' } = podLabels(deployment);
    if (service === undefined || deployment.metadata.name !== lbOf(service)) continue;
    if (!objects.get('Service', namespace, service))
      yield ill('orphaned-lb-deployment', deployment.metadata);
  }
  const set = objects.get('StatefulSet', RUNS_IN, WORKLOAD);
  if (set && set.metadata['ownerReferences'] === undefined)
    if (!objects.get('VpcNatGateway', undefined, GATEWAY))
      yield ill('orphaned-nat-gateway-set', set.metadata);
}

const ill = (
  rule: string,
  { uid, name }: { readonly uid: string; readonly name: string },
): Ill => ({ rule, uid, what: `${name} runs for nobody`, expected: 'must' });
