import { isAlive } from '../kube-ovn/pod-networks';
import { DEFAULT_ALLOCATED, defaultNetworkPods } from '../relations/default-network-pods';
import { booleanOf, controllers, flagOf } from '../rule-kit/controller-flags';
import { defineRule, healthy, present, value, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';

/** Multus then asks another network than Kube-OVN's default one for the pod's first interface (kube-ovn.md §2). */
const OTHER_DEFAULT = 'v1.multus-cni.io/default-network';

/**
 * A pod on a node that still has no address of Kube-OVN's: its CNI plug-in waits for one, and no container of it starts.
 *
 * The controller serves a pod as soon as it is made, long before it has a node (kube-ovn.md §0). After a crash it may pass over pods for good (row 74); it also gives up on one
 * whose subnet is full or missing, and on one that names a missing network (§2, row 16). A pod held by a scheduling gate has no node.
 */
export default defineRule({
  id: 'pod-without-address',
  class: 'stuck',
  severity: 'critical',
  subject: 'Pod',
  reads: ['Deployment', 'ReplicaSet', 'StatefulSet'],
  about:
    'A pod that was given a node and that Kube-OVN has not given an address: it does not start. Its subnet may be full or missing, or a network it names; otherwise restart the controller, then the pod.',

  check(pod, view) {
    const { metadata, spec, status } = pod.object;
    const node = spec?.nodeName ?? '';
    const allocated = metadata.annotations?.[DEFAULT_ALLOCATED];
    if (node === '' || status?.phase !== 'Pending' || !isAlive(pod) || allocated === 'true')
      return healthy;
    if (metadata.annotations?.[OTHER_DEFAULT] !== undefined || !servesDefaultNetwork(view))
      return healthy;
    return violation({
      says: `pod ${pod.namespace}/${pod.name} is on node ${node} and has no address of Kube-OVN's, so it does not start`,
      proof: [
        present(pod),
        value(pod, 'spec.nodeName', node),
        value(pod, 'status.phase', 'Pending'),
        value(pod, `metadata.annotations[${DEFAULT_ALLOCATED}]`, allocated ?? ''),
      ],
    });
  },
});

/** Whether Kube-OVN connects pods by itself, and not only their attachments: it did so for some, and its controller is not told otherwise. */
const servesDefaultNetwork = (
  view: View<'Pod' | 'Deployment' | 'ReplicaSet' | 'StatefulSet'>,
): boolean =>
  view.has(defaultNetworkPods, 'any') &&
  !controllers(view).some((it) => booleanOf(flagOf(it, 'non-primary-cni-mode')) === true);
