import { DEFAULT_ALLOCATED, isUnserved } from '../kube-ovn/unserved';
import { servesDefaultNetwork } from '../rule-kit/controller-flags';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { present, value } from '../rule-kit/facts';

/**
 * A pod on a node that still has no address of Kube-OVN's: its CNI plug-in waits for one, and no
 * container of it starts.
 *
 * The controller serves a pod as soon as it is made, long before it has a node (kube-ovn.md §0).
 * After a crash it may pass over pods for good (row 74); it also gives up on one whose subnet is
 * full or missing, and on one that names a missing network (§2, row 16). A pod held by a scheduling
 * gate has no node.
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
    if (!isUnserved(pod) || !servesDefaultNetwork(view)) return healthy;
    const node = pod.object.spec?.nodeName ?? '';
    const allocated = pod.object.metadata.annotations?.[DEFAULT_ALLOCATED];
    return violation({
      summary: `pod ${pod.namespace}/${pod.name} is on node ${node} and has no address of Kube-OVN's, so it does not start`,
      proof: [
        present(pod),
        value(pod, 'spec.nodeName', node),
        value(pod, 'status.phase', 'Pending'),
        value(pod, `metadata.annotations[${DEFAULT_ALLOCATED}]`, allocated ?? ''),
      ],
    });
  },
});
