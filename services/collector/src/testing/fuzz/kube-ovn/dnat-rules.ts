import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { operation as op } from '@ovn-steward/ovsdb';
import { ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { alive, type Cluster, hasDeletionTimestamp, rowNamed, ROUTER } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { statusOf, statusPut } from './floating-ips';
import { make } from './networks';
import { isAtLeast } from './releases';

export interface DnatSpec {
  readonly ovnEip: string;
  readonly v4Ip: string;
  readonly internalPort: string;
  readonly externalPort: string;
  readonly protocol: string;
}
export const dnatOf = (rule: KubernetesObject): DnatSpec => rule['spec'] as unknown as DnatSpec;
export const dnatStatus = (
  rule: KubernetesObject,
): { readonly v4Eip?: string; readonly ready?: boolean; readonly externalPort?: string } =>
  (rule['status'] ?? {}) as { v4Eip?: string; ready?: boolean; externalPort?: string };

const ruleOf = (cluster: Cluster, name: string): KubernetesObject | undefined =>
  cluster.objects.get('OvnDnatRule', undefined, name);

const onRouter = (cluster: Cluster, what: 'insert' | 'delete', balancer: string): void => {
  const [router] = rowNamed(cluster, 'Logical_Router', ROUTER)!;
  const change = [['load_balancer', what, op.set([op.uuid(balancer)])]] as const;
  cluster.write(op.mutate('Logical_Router', op.byUuid(router), change));
};

const setVips = (cluster: Cluster, uid: string, vips: readonly (readonly [string, string])[]) =>
  cluster.write(op.update('Load_Balancer', op.byUuid(uid), { vips: op.map(vips) }));

/** Balancer, vip, its place on the router, the finalizer, then the status (handleAddOvnDnatRule). */
function* serve({ cluster }: Controller, name: string): Job {
  const rule = ruleOf(cluster, name);
  if (!rule || dnatStatus(rule).ready === true) return;
  const { ovnEip, v4Ip, internalPort, externalPort, protocol } = dnatOf(rule);
  const { v4Ip: v4Eip } = statusOf(cluster.objects.get('OvnEip', undefined, ovnEip));
  if (v4Eip === undefined) return;
  let [uid] = rowNamed(cluster, 'Load_Balancer', name) ?? [];
  if (uid === undefined) {
    const ids = cluster.release.tagsAll ? ours() : op.map([]);
    const row = { name, protocol, external_ids: ids };
    const owner = { kind: 'OvnDnatRule', name };
    uid = make(cluster, { table: 'Load_Balancer', name, row, owner });
    yield;
  }
  if (!cluster.rows('Load_Balancer').has(uid)) return;
  setVips(cluster, uid, [[`${v4Eip}:${externalPort}`, `${v4Ip}:${internalPort}`]]);
  yield;
  if (!cluster.rows('Load_Balancer').has(uid)) return;
  onRouter(cluster, 'insert', uid);
  yield;
  const current = ruleOf(cluster, name);
  if (current?.metadata.uid !== rule.metadata.uid) return;
  const labels = { 'ovn.kubernetes.io/eip_v4_ip': v4Eip };
  const metadata = { ...current.metadata, finalizers: [cluster.release.finalizer], labels };
  if (alive(current)) cluster.put({ ...current, metadata } as unknown as GivenObject);
  yield;
  const latest = ruleOf(cluster, name);
  if (latest?.metadata.uid !== rule.metadata.uid) return;
  const given = { v4Eip, v4Ip, internalPort, externalPort, protocol };
  statusPut(cluster, latest, { vpc: ROUTER, ready: true, ...given });
  yield;
}

/** Its vip, then its place on the router; the balancer stays. Without that it fails for ever. */
function* end(controller: Controller, name: string): Job {
  const { cluster } = controller;
  const rule = ruleOf(cluster, name);
  if (!rule || alive(rule)) return;
  if (dnatStatus(rule).v4Eip !== undefined) {
    const [uid] = rowNamed(cluster, 'Load_Balancer', name) ?? [];
    if (uid === undefined) return;
    setVips(cluster, uid, []);
    yield;
    if (cluster.rows('Load_Balancer').has(uid)) onRouter(cluster, 'delete', uid);
    yield;
  }
  cluster.objects.remove('OvnDnatRule', undefined, name);
  cluster.diary.push(`OvnDnatRule ${name} gone`);
  yield;
  for (const eip of [...cluster.objects.all('OvnEip')])
    if (hasDeletionTimestamp(eip))
      controller.enqueueOnce(`eip ${eip.metadata.name}`, () => endEip(controller, eip));
}

/** An external address that no rule has the label of (handleUpdateOvnEip). */
function* endEip({ cluster }: Controller, eip: KubernetesObject): Job {
  const { name } = eip.metadata;
  const current = cluster.objects.get('OvnEip', undefined, name);
  if (!current || alive(current)) return;
  const { v4Ip } = statusOf(current);
  const isUsed = ['OvnDnatRule', 'OvnFip', 'OvnSnatRule'].some((kind) =>
    [...cluster.objects.all(kind)].some(
      ({ metadata: { labels } }) =>
        (labels as Record<string, string> | undefined)?.['ovn.kubernetes.io/eip_v4_ip'] === v4Ip,
    ),
  );
  if (isUsed) return;
  cluster.objects.remove('OvnEip', undefined, name);
  cluster.diary.push(`OvnEip ${name} gone`);
  yield;
}

/**
 * Whether the deletion of what is heard of is handled: by a change of it always, at a start only
 * since v1.17 (kube-ovn.md §7.3).
 */
function isTakenUp({ cluster, memory }: Controller, { metadata }: KubernetesObject): boolean {
  const key = `heard of ${metadata.uid}`;
  const isChange = memory.has(key);
  memory.set(key, true);
  return isChange || isAtLeast(cluster.release, 1, 17);
}

export const dnatRules: Handler = (controller, event) => {
  if (event.is !== 'now') return;
  const { name } = event.object.metadata;
  const isEnd = isTakenUp(controller, event.object) && hasDeletionTimestamp(event.object);
  controller.enqueueOnce(`dnat ${name}`, () => (isEnd ? end : serve)(controller, name));
};

export const endingEips: Handler = (controller, event) => {
  if (
    event.is !== 'now' ||
    !isTakenUp(controller, event.object) ||
    !hasDeletionTimestamp(event.object)
  )
    return;
  controller.enqueueOnce(`eip ${event.object.metadata.name}`, () =>
    endEip(controller, event.object),
  );
};
