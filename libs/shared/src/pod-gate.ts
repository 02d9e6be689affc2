/**
 * Our scheduling gate: on a pod that is not to be scheduled before its subnet is ready (Kubernetes
 * documentation, "Pod Scheduling Readiness"; docs/network-ready.md).
 */
export const GATE = 'ovn-steward.dev/subnet-ready';

/**
 * On a namespace, or on a pod: the subnet of which its pods are to have the address of their own
 * network, not of an attached one. The pod's own goes before its namespace's.
 */
export const SUBNET_LABEL = 'ovn-steward.dev/subnet';
