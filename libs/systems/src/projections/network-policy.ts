import { kubernetesObject } from './metadata';
import { anything, integer, list, record, text, textMap, texts } from './shape';

/** metav1.LabelSelector. */
export const labelSelector = record({
  matchLabels: textMap,
  matchExpressions: list(record({ key: text, operator: text, values: texts }, ['key', 'operator'])),
});

/** networking.k8s.io/v1 NetworkPolicyPort; a port may have a number or a name. */
const ports = list(record({ port: anything, protocol: text, endPort: integer }));
/** NetworkPolicyPeer: of its other fields Kube-OVN makes the addresses of a set. */
const peers = list(record({ ipBlock: record({ cidr: text }) }));

/**
 * A network policy owns port groups, address sets and ACLs by its name; which pods it selects shows
 * which ports belong to its group, its types in which directions the group drops what no rule
 * allows, and the places of its rules which address sets it has. Their ports and blocks show which
 * ACLs.
 */
export const networkPolicy = kubernetesObject({
  spec: record({
    podSelector: labelSelector,
    policyTypes: texts,
    ingress: list(record({ ports, from: peers })),
    egress: list(record({ ports, to: peers })),
  }),
});
