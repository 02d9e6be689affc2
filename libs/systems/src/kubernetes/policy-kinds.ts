import type { KubernetesKind } from '@ovn-steward/shared/kinds';

const policy = (kind: string, resource: string): KubernetesKind => ({
  kind,
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource,
  namespaced: false,
});

/**
 * What the guards write and no other part reads; older servers serve them as a beta, or not at all.
 */
const POLICY_KINDS: readonly KubernetesKind[] = [
  policy('ValidatingAdmissionPolicy', 'validatingadmissionpolicies'),
  policy('ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings'),
  policy('MutatingAdmissionPolicy', 'mutatingadmissionpolicies'),
  policy('MutatingAdmissionPolicyBinding', 'mutatingadmissionpolicybindings'),
];

/** The entry of a kind of policy. */
export const policyKind = (kind: string): KubernetesKind | undefined =>
  POLICY_KINDS.find((it) => it.kind === kind);
