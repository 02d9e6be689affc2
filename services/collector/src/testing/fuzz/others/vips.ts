import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { type Cluster, deleteObject } from '../cluster';

/**
 * Addresses that somebody keeps; one is called as its subnet and has a mark of whoever made it. The
 * others of such names are what Kube-OVN makes to check the health of balancers' backends.
 */
const VIPS: readonly { readonly name: string; readonly subnet: string; readonly v4ip?: string }[] =
  [
    { name: 'share-1', subnet: 'apps' },
    { name: 'share-2', subnet: 'data', v4ip: '10.18.0.50' },
    { name: 'share-3', subnet: 'data', v4ip: '10.18.0.50' },
    { name: 'share-4', subnet: 'guest' },
    // Most often a pod has it: such a one is never served.
    { name: 'share-5', subnet: 'apps', v4ip: '10.17.0.2' },
    { name: 'apps', subnet: 'apps' },
    { name: 'guest', subnet: 'guest' },
  ];

/** Addresses are reserved and given back; some deletions are by force. */
export function changeVip(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  const { name, ...spec } = random.pick(VIPS);
  const vip = objects.get('Vip', undefined, name);
  const what = random.int(10);
  if (!vip) {
    const isMarked = random.chance(0.3);
    cluster.put({
      kind: 'Vip',
      metadata: { name, ...(isMarked && { annotations: { 'example.com/by': 'anna' } }) },
      spec,
    });
    diary.push(`Vip ${name} made${isMarked ? ' by anna' : ''}`);
  } else if (what < 2) deleteObject(cluster, vip, true);
  else if (what < 4) {
    const labels = { ...(vip.metadata['labels'] as object), seen: String(random.int(9)) };
    cluster.put({ ...vip, metadata: { ...vip.metadata, labels } } as unknown as GivenObject);
    diary.push(`Vip ${name} labelled`);
  } else deleteObject(cluster, vip, false);
}
