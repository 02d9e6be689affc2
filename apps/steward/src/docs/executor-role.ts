/**
 * What the executor changes in a cluster (services/executor/src/actions/, undo/), and nothing else; what it reads is in the other role. Its
 * actions are tried under this very role on a real API server.
 */
export const EXECUTOR_ROLE = `---
# What the executor may change, each for one of its actions and for undoing it. Needed only where a rule may do more than observe: leave out
# what is below, and it says of each action that it may not.
apiVersion: v1
kind: ServiceAccount
metadata:
  name: ovn-steward-executor
  namespace: ovn-steward
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: ovn-steward-executor
rules:
  # delete-ip, delete-vip, delete-ovn-eip, delete-iptables-eip; to call off a deletion that may be under way; and to make again what was deleted
  - apiGroups: ["kubeovn.io"]
    resources:
      - ips
      - vips
      - ovn-eips
      - iptables-eips
    verbs: [create, delete, patch]
  # strip-finalizer, and to make again what went with it
  - apiGroups: ["kubeovn.io"]
    resources:
      - ips
      - ippools
      - iptables-dnat-rules
      - iptables-eips
      - iptables-fip-rules
      - iptables-snat-rules
      - ovn-dnat-rules
      - ovn-eips
      - ovn-fips
      - ovn-snat-rules
      - qos-policies
      - subnets
      - vips
      - vpc-egress-gateways
      - vpc-nat-gateways
      - vpcs
    verbs: [create, patch]
  # reallocate-pod, and its undo
  - apiGroups: [""]
    resources:
      - pods
    verbs: [patch]
  # restart-pod
  - apiGroups: [""]
    resources:
      - pods/eviction
    verbs: [create]
  # to say on an object what was decided about it
  - apiGroups: ["events.k8s.io"]
    resources:
      - events
    verbs: [create]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: ovn-steward-executor
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: ovn-steward-executor
subjects:
  - kind: ServiceAccount
    name: ovn-steward-executor
    namespace: ovn-steward
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: ovn-steward-executor-read
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: ovn-steward-read
subjects:
  - kind: ServiceAccount
    name: ovn-steward-executor
    namespace: ovn-steward
`;
