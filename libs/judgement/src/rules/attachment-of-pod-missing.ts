import { namedAttachments, NETWORKS } from '../kube-ovn/attachments';
import { isAlive } from '../kube-ovn/pod-networks';
import { attachmentDefinitions } from '../relations/attachment-definitions';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { absent, value } from '../rule-kit/facts';

/**
 * A living pod that names a NetworkAttachmentDefinition which does not exist.
 *
 * Kube-OVN's inspection of pods ends at the first such pod, in random order, so lost ports of all
 * others are repaired late or never; and at its next start the pod's addresses are not taken and
 * may be given to others (kube-ovn.md §0.2, §6.1, row 16).
 */
export default defineRule({
  id: 'attachment-of-pod-missing',
  class: 'missing',
  severity: 'warning',
  subject: 'Pod',
  reads: ['NetworkAttachmentDefinition'],
  about:
    'A pod that names a NetworkAttachmentDefinition which does not exist. While the pod exists, Kube-OVN does not reliably repair lost ports of any pod. Create the definition again, or delete the pod; a restart does not help.',

  check(pod, view) {
    if (!isAlive(pod)) return healthy;
    const named = namedAttachments(pod);
    const missing = named.filter(
      (it) => view.presence('NetworkAttachmentDefinition', it) === 'absent',
    );
    // Where there is none at all, Kube-OVN may not be configured for such definitions.
    if (missing.length === 0 || !view.has(attachmentDefinitions, 'any')) return healthy;
    return violation(
      ...missing.map((attachment) => ({
        summary: `pod ${pod.namespace}/${pod.name} names NetworkAttachmentDefinition ${attachment}, which does not exist`,
        part: { column: 'metadata.annotations', key: attachment },
        proof: [
          absent('NetworkAttachmentDefinition', attachment),
          value(
            pod,
            `metadata.annotations[${NETWORKS}]`,
            pod.object.metadata.annotations![NETWORKS]!,
          ),
        ],
      })),
    );
  },
});
