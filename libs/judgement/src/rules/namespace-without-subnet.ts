import { annotatedNamespaces } from '../relations/annotated-namespaces';
import { subnetsOfNamespace } from '../kube-ovn/namespace-subnets';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { unchanged, value } from '../rule-kit/facts';

/**
 * A namespace on which Kube-OVN has not recorded the subnet of its pods' addresses, while it has on
 * others.
 *
 * One Subnet of a Vpc that does not exist makes some releases stop at it, for all namespaces
 * (kube-ovn.md row 42, #5028); so does a namespace that a custom VPC lists without a subnet for it
 * (§8.3).
 */
export default defineRule({
  id: 'namespace-without-subnet',
  class: 'missing',
  severity: 'warning',
  subject: 'Namespace',
  reads: ['Subnet'],
  about:
    'A namespace without the annotation `ovn.kubernetes.io/logical_switch`, which names the subnet of its pods, while others have theirs. Its pods get no address, or one of the default subnet. Look for a Subnet whose Vpc does not exist.',

  check(namespace, view) {
    if (
      isBeingDeleted(namespace) ||
      subnetsOfNamespace(namespace).length > 0 ||
      !view.has(annotatedNamespaces, 'any')
    )
      return healthy;
    return violation({
      summary: `namespace ${namespace.name} has no subnet: Kube-OVN has not written the annotation ovn.kubernetes.io/logical_switch on it, so its pods get no address, or one of the default subnet`,
      proof: [
        value(
          namespace,
          'metadata.annotations[ovn.kubernetes.io/logical_switch]',
          namespace.object.metadata.annotations?.['ovn.kubernetes.io/logical_switch'] ?? '',
        ),
        unchanged(namespace),
      ],
    });
  },
});
