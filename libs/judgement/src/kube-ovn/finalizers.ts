/**
 * That of releases before 1.13: every later one takes it off at its start, also of what is being
 * deleted (kube-ovn.md §7.3).
 */
export const FORMER_FINALIZER = 'kube-ovn-controller';

/**
 * A finalizer constant of Kube-OVN's that no code of its removes any more (kube-ovn.md §1): it
 * stays for ever.
 */
export const ABANDONED_FINALIZERS: ReadonlySet<string> = new Set(['ovn.kubernetes.io/fip']);

/**
 * Kube-OVN's own finalizers: today's, that of releases before 1.13, and one that no release removes
 * any more (kube-ovn.md §1).
 */
export const KUBE_OVN_FINALIZERS: ReadonlySet<string> = new Set([
  'kubeovn.io/kube-ovn-controller',
  FORMER_FINALIZER,
  ...ABANDONED_FINALIZERS,
]);
