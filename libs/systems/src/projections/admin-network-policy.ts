import { labelSelector } from './network-policy';
import { kubernetesObject } from './metadata';
import { anything, integer, list, record, text } from './shape';

/**
 * How many the rule is about matters, not which: `namedPort` is one that Kube-OVN does not know.
 */
const ports = list(record({ portNumber: anything, portRange: anything }));
const rules = list(record({ name: text, ports }));

/**
 * AdminNetworkPolicy, BaselineAdminNetworkPolicy and ClusterNetworkPolicy alike
 * (policy.networking.k8s.io). The subject shows which ports belong to the policy's group; place
 * and name of a rule are in the names of its address sets (kube-ovn.md §3.4); of policies with one
 * priority Kube-OVN takes the first alone.
 */
export const adminNetworkPolicy = kubernetesObject({
  spec: record({
    priority: integer,
    tier: text,
    subject: record({
      namespaces: labelSelector,
      pods: record({ namespaceSelector: labelSelector, podSelector: labelSelector }),
    }),
    ingress: rules,
    egress: rules,
  }),
});
