/**
 * That of releases before 1.13: every later one takes it off at its start, also of what is being
 * deleted (kube-ovn.md §7.3).
 */
export const FORMER_FINALIZER = 'kube-ovn-controller';

/**
 * Kube-OVN's own finalizers: today's, that of releases before 1.13, and one that no release removes
 * any more (kube-ovn.md §1).
 */
export const KUBE_OVN_FINALIZERS: ReadonlySet<string> = new Set([
  'kubeovn.io/kube-ovn-controller',
  FORMER_FINALIZER,
  'ovn.kubernetes.io/fip',
]);
