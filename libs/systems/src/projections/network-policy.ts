import { kubernetesObject } from './metadata';
import { anything, list, record, text, textMap, texts } from './shape';

/** metav1.LabelSelector. */
export const labelSelector = record({
  matchLabels: textMap,
  matchExpressions: list(record({ key: text, operator: text, values: texts }, ['key', 'operator'])),
});

/** A port may have a number or a name. */
const rules = list(record({ ports: list(record({ port: anything })) }));

/**
 * A network policy owns port groups, address sets and ACLs by its name; which pods it selects shows
 * which ports belong into its group, its types in which directions the group drops what no rule
 * allows, and the places of its rules which address sets it has.
 */
export const networkPolicy = kubernetesObject({
  spec: record({ podSelector: labelSelector, policyTypes: texts, ingress: rules, egress: rules }),
});
