/** Kube-OVN's own finalizers: today's, that of releases before 1.13, and one that no release removes any more (kube-ovn.md §1). */
export const KUBE_OVN_FINALIZERS: ReadonlySet<string> = new Set([
  'kubeovn.io/kube-ovn-controller',
  'kube-ovn-controller',
  'ovn.kubernetes.io/fip',
]);
