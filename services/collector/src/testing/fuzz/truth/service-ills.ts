import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { annotationOf, type Cluster, keyIn } from '../cluster';
import { backendOf, balancer, type Balancer, vipOf } from '../kube-ovn/service-vips';
import type { Ill } from './ill';

/** What is wrong with Services and with the entries of the default VPC's balancer. */
export function* serviceIlls(cluster: Cluster): Generator<Ill> {
  const loadBalancer = balancer(cluster);
  const rules = [...cluster.objects.all('SwitchLBRule')];
  for (const service of cluster.objects.all('Service')) {
    const { uid, name } = service.metadata;
    const isRules = annotationOf(service, 'ovn.kubernetes.io/switch_lb_vip') !== undefined;
    if (isRules && rules.length === 0)
      yield { rule: 'orphaned-switch-lb-service', uid, what: `${name} is left`, expected: 'must' };
    const isServed =
      annotationOf(service, 'ovn.kubernetes.io/vpc') !== undefined &&
      backendOf(cluster, service) !== undefined;
    if (isServed && loadBalancer && !loadBalancer.vips.some(([vip]) => vip === vipOf(service)))
      yield { rule: 'service-vip-missing', uid, what: `${name} is not answered`, expected: 'must' };
  }
  const wanted = new Set([...cluster.objects.all('Service')].map(vipOf));
  if (rules.length > 0) wanted.add('10.96.9.9:80');
  if (loadBalancer) yield* leftEntries(cluster, loadBalancer, wanted);
  for (const rule of rules) yield* lostService(cluster, rule, loadBalancer);
}

/** Its Service was made and is gone, and the controller took the entry out of the balancer. */
function* lostService(
  cluster: Cluster,
  { metadata, ...rule }: KubernetesObject,
  loadBalancer: Balancer | undefined,
): Generator<Ill> {
  const isServed = (rule as { readonly status?: object }).status !== undefined;
  const isAnswered = loadBalancer?.vips.some(([vip]) => vip === '10.96.9.9:80') === true;
  if (!isServed || isAnswered || cluster.objects.get('Service', 'shop', `slr-${metadata.name}`))
    return;
  const what = `${metadata.name} has no Service`;
  yield {
    rule: 'switch-lb-rule-without-service',
    uid: metadata.uid,
    what,
    expected: 'must',
  };
}

/** Entries, checks and where backends are checked from, of nobody. */
function* leftEntries(
  cluster: Cluster,
  { uid, vips, mappings, checks }: Balancer,
  wanted: ReadonlySet<string>,
): Generator<Ill> {
  const row = cluster.rows('Load_Balancer').get(uid)!;
  const isTagged = keyIn(row['external_ids'], 'vendor') !== undefined;
  const expected = isTagged ? 'must' : 'may';
  for (const [vip] of vips)
    if (!wanted.has(vip)) yield { rule: 'stale-load-balancer-vip', uid, what: vip, expected };
  for (const check of checks) {
    const vip = String(cluster.rows('Load_Balancer_Health_Check').get(check)!['vip']);
    if (!wanted.has(vip) && !vips.some(([key]) => key === vip))
      yield { rule: 'orphaned-load-balancer-health-check', uid: check, what: vip, expected };
  }
  const backends = new Set(vips.map(([, to]) => to.split(':')[0]));
  for (const [address] of mappings)
    if (!backends.has(address))
      yield { rule: 'stale-ip-port-mapping', uid, what: address, expected };
}
