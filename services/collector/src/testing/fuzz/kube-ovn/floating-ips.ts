import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { operation as op } from '@ovn-steward/ovsdb';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { add } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { alive, type Cluster, rowNamed, ROUTER } from '../cluster';
import type { Controller, Handler, Job } from './controller';

export type NatType = 'dnat_and_snat' | 'snat';
const TYPE = 'dnat_and_snat';

/** What is known of a floating IP and its OvnEip, in both families. */
interface Ends {
  readonly v4Ip?: string;
  readonly v6Ip?: string;
}

export const specOf = (fip: KubernetesObject): Ends & { readonly ovnEip: string } =>
  fip['spec'] as Ends & { ovnEip: string };
export const statusOf = (object: KubernetesObject | undefined): Ends & { nat?: string } =>
  (object?.['status'] ?? {}) as Ends & { nat?: string };

/** Whether Kube-OVN has served the rule, and so passes over it at its next start. */
export const isReady = (rule: KubernetesObject): boolean =>
  (rule['status'] as { ready?: boolean } | undefined)?.ready === true;

/** NATs of the router of that type, by their two ends. */
export function* nats(
  cluster: Cluster,
  type: NatType = TYPE,
): Generator<{ readonly uid: string; readonly external: string; readonly logical: string }> {
  for (const [uid, row] of cluster.rows('NAT'))
    if (row['type'] === type)
      yield { uid, external: String(row['external_ip']), logical: String(row['logical_ip']) };
}

export function makeNat(
  cluster: Cluster,
  external: string,
  logical: string,
  type: NatType = TYPE,
): boolean {
  if ([...nats(cluster, type)].some((it) => it.external === external && it.logical === logical))
    return false;
  const { random, release } = cluster;
  const [router] = rowNamed(cluster, 'Logical_Router', ROUTER)!;
  const option = release.marksNats ? 'staleless' : 'stateless';
  const ends = { type, external_ip: external, logical_ip: logical };
  cluster.write(
    ...add(
      'NAT',
      random.uuid(),
      { ...ends, ...(type === TYPE && { options: op.map([[option, 'false']]) }) },
      { table: 'Logical_Router', uuid: router, column: 'nat' },
    ),
  );
  cluster.diary.push(`NAT ${external} for ${logical}`);
  return true;
}

/** Takes the NAT of these ends from the router; whether there was one. */
export function dropNat(
  cluster: Cluster,
  external: string,
  logical: string,
  type: NatType = TYPE,
): boolean {
  const found = [...nats(cluster, type)].find(
    (it) => it.external === external && it.logical === logical,
  );
  if (!found) return false;
  const [router] = rowNamed(cluster, 'Logical_Router', ROUTER)!;
  for (const it of [found.uid, router]) cluster.damage.remove(it, cluster.now);
  cluster.write(
    op.mutate('Logical_Router', op.byUuid(router), [['nat', 'delete', op.uuid(found.uid)]]),
  );
  cluster.diary.push(`NAT ${external} for ${logical} removed`);
  return true;
}

export const statusPut = (cluster: Cluster, object: KubernetesObject, status: object): void => {
  const all = { ...(object['status'] as object | undefined), ...status };
  cluster.put({ ...object, status: all } as unknown as GivenObject);
};

/**
 * The finalizer, then the status, of an OvnFip or OvnSnatRule whose NATs are made (ovn_fip.go,
 * ovn_snat.go); whether it was there all the time.
 */
export function* markServed(
  { cluster }: Controller,
  kind: 'OvnFip' | 'OvnSnatRule',
  { metadata: { name, uid } }: KubernetesObject,
  status: object,
): Generator<undefined, boolean, void> {
  const current = cluster.objects.get(kind, undefined, name);
  if (!current || !alive(current) || current.metadata.uid !== uid) return false;
  const metadata = { ...current.metadata, finalizers: [cluster.release.finalizer] };
  cluster.put({ ...current, metadata } as unknown as GivenObject);
  yield;
  const latest = cluster.objects.get(kind, undefined, name);
  if (latest?.metadata.uid !== uid) return false;
  statusPut(cluster, latest, { vpc: ROUTER, ready: true, ...status });
  yield;
  return true;
}

/** Both NATs, then its status, which keeps nothing of IPv6. */
function* serve(controller: Controller, name: string): Job {
  const { cluster } = controller;
  const fip = cluster.objects.get('OvnFip', undefined, name);
  if (!fip || !alive(fip) || (fip['status'] as object | undefined) !== undefined) return;
  const { ovnEip, v4Ip = '', v6Ip = '' } = specOf(fip);
  const { v4Ip: v4Eip = '', v6Ip: v6Eip = '' } = statusOf(
    cluster.objects.get('OvnEip', undefined, ovnEip),
  );
  if (v4Eip === '') return;
  if (makeNat(cluster, v4Eip, v4Ip)) yield;
  if (makeNat(cluster, v6Eip, v6Ip)) yield;
  if (!(yield* markServed(controller, 'OvnFip', fip, { v4Eip, v4Ip }))) return;
  const eip = cluster.objects.get('OvnEip', undefined, ovnEip);
  if (eip) statusPut(cluster, eip, { nat: 'fip' });
  yield;
}

/** The NAT its status names, which is that of IPv4 alone; then its finalizer. */
function* end({ cluster }: Controller, name: string): Job {
  const fip = cluster.objects.get('OvnFip', undefined, name);
  if (!fip || alive(fip)) return;
  const { v4Eip = '', v4Ip = '' } = statusOf(fip) as { v4Eip?: string; v4Ip?: string };
  if (v4Eip !== '' && dropNat(cluster, v4Eip, v4Ip)) yield;
  cluster.objects.remove('OvnFip', undefined, name);
  cluster.diary.push(`OvnFip ${name} gone`);
  yield;
  const eip = cluster.objects.get('OvnEip', undefined, specOf(fip).ovnEip);
  if (eip) statusPut(cluster, eip, { nat: '' });
  yield;
}

export const floatingIps: Handler = (controller, event) => {
  if (event.is === 'all' || event.is === 'gone') return;
  const { name } = event.object.metadata;
  controller.enqueueOnce(`fip ${name}`, () =>
    alive(event.object) ? serve(controller, name) : end(controller, name),
  );
};
