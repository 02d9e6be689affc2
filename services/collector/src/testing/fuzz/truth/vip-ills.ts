import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { annotationOf, type Cluster, hasDeletionTimestamp, keyIn, rowNamed } from '../cluster';
import { backendOf, balancer, vipOf } from '../kube-ovn/service-vips';
import { givenTo, vipSpec } from '../kube-ovn/vips';
import type { Ill } from './ill';

/** What is wrong with reserved addresses. */
export function* vipIlls(cluster: Cluster): Generator<Ill> {
  for (const vip of cluster.objects.all('Vip')) {
    const { uid, name } = vip.metadata;
    const what = `Vip ${name}`;
    if (hasDeletionTimestamp(vip))
      yield { rule: 'stuck-vip-deletion', uid, what, expected: 'must' };
    else if (isForChecks(vip) && !isChecked(cluster, name)) {
      // What a port answers for, too, is in use, whoever was given it.
      const isSeen =
        rowNamed(cluster, 'Logical_Switch', name) &&
        !isAnswered(cluster, vip) &&
        !isAwaited(cluster);
      yield {
        rule: 'leaked-vip',
        uid,
        what: `${what} is for no check`,
        expected: isSeen ? 'must' : 'may',
      };
    }
  }
}

/** Called as its subnet, served, and with nobody's mark. */
const isForChecks = (vip: KubernetesObject): boolean =>
  vipSpec(vip).subnet === vip.metadata.name &&
  givenTo(vip) !== undefined &&
  vip.metadata['annotations'] === undefined &&
  !Object.hasOwn((vip.metadata['labels'] as object | undefined) ?? {}, 'seen');

const isAnswered = (cluster: Cluster, vip: KubernetesObject): boolean =>
  [...cluster.rows('Logical_Switch_Port').values()].some((it) =>
    String(it['addresses']).split(' ').includes(givenTo(vip)!),
  );

/** By a rule whose Service is answered nowhere: from where its backends will be checked is open. */
const isAwaited = (cluster: Cluster): boolean =>
  [...cluster.objects.all('Service')].some(
    (service) =>
      annotationOf(service, 'ovn.kubernetes.io/switch_lb_vip') !== undefined &&
      backendOf(cluster, service) !== undefined &&
      !balancer(cluster)?.vips.some(([vip]) => vip === vipOf(service)),
  );

const isChecked = (cluster: Cluster, subnet: string): boolean =>
  [...cluster.rows('Load_Balancer_Health_Check').values()].some(
    (it) => keyIn(it['external_ids'], 'switch_lb_subnet') === subnet,
  );
