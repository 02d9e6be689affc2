import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { alive, type Cluster, hasDeletionTimestamp } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { macOf } from './ipam';
import { isAtLeast, type Release } from './releases';

interface VipObject {
  readonly subnet: string;
  readonly v4ip?: string;
}
export const vipSpec = (vip: KubernetesObject): VipObject => vip['spec'] as unknown as VipObject;
/** What it was given; undefined of one that was not served. */
export const givenTo = (vip: KubernetesObject): string | undefined =>
  (vip['status'] as { v4ip?: string } | undefined)?.v4ip;

const vipOf = ({ objects }: Cluster, name: string): KubernetesObject | undefined =>
  objects.get('Vip', undefined, name);

/** Neither v1.12 nor v1.14 gives one (kube-ovn.md §1). */
const hasFinalizer = (release: Release): boolean =>
  isAtLeast(release, 1, 13) && !release.version.startsWith('v1.14.');

/** Its address, labels and status, then the finalizer (handleAddVirtualIP). */
function* serve({ cluster, ipam }: Controller, name: string): Job {
  const vip = vipOf(cluster, name);
  if (!alive(vip) || givenTo(vip) !== undefined) return;
  const { subnet, v4ip: asked } = vipSpec(vip);
  if (!cluster.objects.get('Subnet', undefined, subnet)) return;
  if (asked !== undefined && !ipam.takeFree(subnet, asked, name)) return;
  const v4ip = asked ?? ipam.allocate(subnet, name);
  if (v4ip === undefined) return;
  const labels = { 'ovn.kubernetes.io/subnet': subnet, 'ovn.kubernetes.io/ip_reserved': '' };
  cluster.put({
    ...vip,
    metadata: { ...vip.metadata, labels },
    spec: { ...vipSpec(vip), v4ip },
    status: { v4ip, mac: macOf(cluster), type: '' },
  } as unknown as GivenObject);
  cluster.diary.push(`Vip ${name} has ${v4ip}`);
  yield;
  const current = vipOf(cluster, name);
  if (!alive(current) || current.metadata.uid !== vip.metadata.uid) return;
  if (!hasFinalizer(cluster.release)) return;
  const metadata = { ...current.metadata, finalizers: [cluster.release.finalizer] };
  cluster.put({ ...current, metadata } as unknown as GivenObject);
  yield;
}

/** Its address is free again, then it goes. */
function* end({ cluster, ipam }: Controller, name: string): Job {
  const vip = vipOf(cluster, name);
  if (!vip || !hasDeletionTimestamp(vip)) return;
  ipam.release(name);
  cluster.objects.remove('Vip', undefined, name);
  cluster.diary.push(`Vip ${name} gone`);
  yield;
}

/** A deletion is handled where a change of the Vip is heard of; a start passes over it (§7.3). */
export const vips: Handler = (controller, event) => {
  if (event.is === 'all') return;
  const { name, uid } = event.object.metadata;
  if (event.is === 'gone') return controller.ipam.release(name);
  const isChange = controller.memory.has(`heard of ${uid}`);
  controller.memory.set(`heard of ${uid}`, true);
  if (!hasDeletionTimestamp(event.object))
    controller.enqueueOnce(`vip ${name}`, () => serve(controller, name));
  else if (isChange) controller.enqueueOnce(`vip ${name}`, () => end(controller, name));
};
