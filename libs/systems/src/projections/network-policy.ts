import { kubernetesObject } from './metadata';
import { list, record, text, textMap, texts } from './shape';

const labelSelector = record({
  matchLabels: textMap,
  matchExpressions: list(record({ key: text, operator: text, values: texts }, ['key', 'operator'])),
});

/**
 * A network policy owns port groups, address sets and ACLs by its name; which pods it selects shows
 * which ports belong into its group, and its types in which directions the group drops what no rule
 * allows.
 */
export const networkPolicy = kubernetesObject({
  spec: record({ podSelector: labelSelector, policyTypes: texts }),
});
