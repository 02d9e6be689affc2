/**
 * The name of the VPC that subnets lie in whose `spec.vpc` is empty, unless Kube-OVN's controller
 * was given another (`--cluster-router`).
 */
export const DEFAULT_VPC = 'ovn-cluster';
