import type { Entity } from '../world/entity';
import { isAlive } from './pod-networks';

/** The annotation by which Kube-OVN says that a pod has its port on the default network. */
export const DEFAULT_ALLOCATED = 'ovn.kubernetes.io/allocated';

/**
 * Multus then requests another network than Kube-OVN's default one for the pod's first interface
 * (kube-ovn.md §2).
 */
const OTHER_DEFAULT = 'v1.multus-cni.io/default-network';

/**
 * Whether a pod that was given a node waits for an address on the default network (kube-ovn.md §0):
 * where Kube-OVN serves that network, no container of it starts.
 */
export function isUnserved(pod: Entity<'Pod'>): boolean {
  const { metadata, spec, status } = pod.object;
  const { annotations = {} } = metadata;
  return (
    (spec?.nodeName ?? '') !== '' &&
    status?.phase === 'Pending' &&
    isAlive(pod) &&
    annotations[DEFAULT_ALLOCATED] !== 'true' &&
    annotations[OTHER_DEFAULT] === undefined
  );
}
