import { alive, annotationOf, type Cluster } from '../cluster';
import type { Owner } from './labels';

/** Whether that owner is there and wants what was made for it. */
export function isWanted(cluster: Cluster, owner: Owner): boolean {
  if (owner.kind !== 'Ordinal') {
    const { kind, namespace, name } = owner as { kind: string; namespace?: string; name: string };
    if (kind === 'Launcher') return hasLauncher(cluster, namespace, name);
    return cluster.objects.get(kind, namespace, name) !== undefined;
  }
  const { namespace, name, ordinal } = owner as Extract<Owner, { ordinal: number }>;
  const set = cluster.objects.get('StatefulSet', namespace, name);
  return alive(set) && ordinal < Number((set['spec'] as { replicas?: number }).replicas ?? 1);
}

/** Whether a pod runs the machine, whatever became of the machine's own objects. */
const hasLauncher = (cluster: Cluster, namespace: string | undefined, machine: string): boolean =>
  [...cluster.objects.all('Pod')].some(
    (pod) =>
      pod.metadata.namespace === namespace &&
      annotationOf(pod, 'ovn.kubernetes.io/virtualmachine') === machine,
  );
