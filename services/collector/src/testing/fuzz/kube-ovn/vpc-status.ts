import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { alive, type Cluster } from '../cluster';
import type { Controller, Job } from './controller';

/** The load balancers of a custom VPC; two of the six stand for all. */
export const balancersOf = (vpc: string): readonly string[] =>
  ['tcp', 'udp'].map((it) => `vpc-${vpc}-${it}-load`);

export const vpcOf = (cluster: Cluster, name: string): KubernetesObject | undefined =>
  cluster.objects.get('Vpc', undefined, name);
export const statusPut = (cluster: Cluster, vpc: KubernetesObject, status: object): void => {
  const all = { ...(vpc['status'] as object | undefined), ...status };
  if (JSON.stringify(all) !== JSON.stringify(vpc['status']))
    cluster.put({ ...vpc, status: all } as unknown as GivenObject);
};

/** Those that are not on their way out: a Vpc waits for no others (kube-ovn.md §7.3). */
export const subnetsOf = ({ objects }: Cluster, vpc: string): string[] =>
  [...objects.all('Subnet')]
    .filter((it) => alive(it) && (it['spec'] as { vpc?: string }).vpc === vpc)
    .map((it) => it.metadata.name)
    .sort();

/** Which of them there are, as a Vpc's status says. */
export function* noteSubnets({ cluster }: Controller, name: string): Job {
  const vpc = vpcOf(cluster, name);
  if (!vpc) return;
  statusPut(cluster, vpc, { subnets: subnetsOf(cluster, name) });
  yield;
}
