import { operation as op } from '@ovn-steward/ovsdb';
import { nameOf } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { annotationOf, type Cluster } from '../cluster';
import { isLive, machineOf, networksOf } from '../kube-ovn/pod';

/**
 * What the nodes do by themselves, at once: pods that have their ports run, and ports are up while
 * their pod is there.
 */
export function kubelets(cluster: Cluster): void {
  const held = new Set<string>();
  for (const pod of [...cluster.objects.all('Pod')]) {
    if (!isLive(pod)) continue;
    const { phase } = pod['status'] as { phase?: string };
    const isAllocated = annotationOf(pod, 'ovn.kubernetes.io/allocated') === 'true';
    // Interfaces stay whatever becomes of the annotation.
    if (phase === 'Pending' && !isAllocated) continue;
    const { namespace = '', name } = pod.metadata;
    for (const { suffix } of networksOf(cluster, pod))
      held.add(nameOf({ namespace, pod: machineOf(pod) ?? name, suffix }));
    if (phase === 'Pending')
      cluster.put({ ...pod, status: { phase: 'Running' } } as unknown as GivenObject);
  }
  for (const [uuid, row] of cluster.rows('Logical_Switch_Port')) {
    const label = cluster.labels.get(uuid);
    if (label === undefined || label.name.startsWith('node-')) continue;
    const up = held.has(label.name);
    if (row['up'] !== up) cluster.write(op.update('Logical_Switch_Port', op.byUuid(uuid), { up }));
  }
}
