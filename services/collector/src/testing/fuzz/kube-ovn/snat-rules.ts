import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { alive, type Cluster } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { dropNat, makeNat, markServed, statusOf, statusPut } from './floating-ips';

interface SnatRule {
  readonly ovnEip: string;
  readonly v4IpCidr: string;
}

export const snatOf = (rule: KubernetesObject): SnatRule => rule['spec'] as unknown as SnatRule;

/** The NAT, then its status. */
function* serve(controller: Controller, name: string): Job {
  const { cluster } = controller;
  const rule = cluster.objects.get('OvnSnatRule', undefined, name);
  if (!rule || !alive(rule) || rule['status'] !== undefined) return;
  const { ovnEip, v4IpCidr } = snatOf(rule);
  const { v4Ip: v4Eip = '' } = statusOf(cluster.objects.get('OvnEip', undefined, ovnEip));
  if (v4Eip === '') return;
  if (makeNat(cluster, v4Eip, v4IpCidr, 'snat')) yield;
  if (!(yield* markServed(controller, 'OvnSnatRule', rule, { v4Eip, v4IpCidr }))) return;
  yield* noteUse(cluster, ovnEip);
}

/** The NAT of its status, then its finalizer. */
function* end({ cluster }: Controller, name: string): Job {
  const rule = cluster.objects.get('OvnSnatRule', undefined, name);
  if (!rule || alive(rule)) return;
  const { v4Eip = '', v4IpCidr = '' } = statusOf(rule) as Record<string, string>;
  if (v4Eip !== '' && dropNat(cluster, v4Eip, v4IpCidr, 'snat')) yield;
  cluster.objects.remove('OvnSnatRule', undefined, name);
  cluster.diary.push(`OvnSnatRule ${name} gone`);
  yield;
  yield* noteUse(cluster, snatOf(rule).ovnEip);
}

/** The address says what it is used for. */
function* noteUse(cluster: Cluster, name: string): Job {
  const eip = cluster.objects.get('OvnEip', undefined, name);
  if (!eip) return;
  const isUsed = [...cluster.objects.all('OvnSnatRule')].some((it) => snatOf(it).ovnEip === name);
  statusPut(cluster, eip, { nat: isUsed ? 'snat' : '' });
  yield;
}

export const snatRules: Handler = (controller, event) => {
  if (event.is === 'all' || event.is === 'gone') return;
  const { name } = event.object.metadata;
  controller.enqueueOnce(`snat ${name}`, () =>
    alive(event.object) ? serve(controller, name) : end(controller, name),
  );
};
