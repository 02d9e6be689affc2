import { PROTECT } from '@ovn-steward/shared/marks';
import { VPC_GUARD } from '@ovn-steward/shared/vpc-guard';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { annotationsOf, finalizersOf } from '@ovn-steward/systems/kubernetes/metadata';
import { isExternal } from './policy-kit/vpc-of-subnet';

/**
 * Kube-OVN's own, today's and that of releases before 1.13 (kube-ovn.md §1). On a Vpc since
 * v1.13.4.
 */
const KUBE_OVN: ReadonlySet<string> = new Set([
  'kubeovn.io/kube-ovn-controller',
  'kube-ovn-controller',
]);

export type FinalizerChange = 'add' | 'take-off' | 'nothing';

/** What is known besides the Vpc itself. */
export interface VpcSurroundings {
  readonly isDefault: boolean;
  /** The Subnets that name it; undefined: not known. */
  readonly subnets: readonly string[] | undefined;
}

/**
 * What is to become of our finalizer on a Vpc. It is on every Vpc that has none of Kube-OVN's, from
 * its creation, but for the default one and mirrors of others' routers; it goes when the Vpc is
 * being deleted and no Subnet names it, or when Kube-OVN has put its own. Unknown means keep.
 */
export function decideFinalizer(
  vpc: KubernetesObject,
  { isDefault, subnets }: VpcSurroundings,
): FinalizerChange {
  const finalizers = finalizersOf(vpc);
  const has = finalizers.includes(VPC_GUARD);
  const hasTheirs = finalizers.some((it) => KUBE_OVN.has(it));
  const isNotOurs = isDefault || isExternal(vpc);
  if (Object.hasOwn(annotationsOf(vpc), PROTECT)) return 'nothing';
  if (vpc.metadata.deletionTimestamp === undefined) {
    if (has) return isNotOurs || hasTheirs ? 'take-off' : 'nothing';
    return isNotOurs || hasTheirs ? 'nothing' : 'add';
  }
  if (!has) return 'nothing';
  if (hasTheirs) return 'take-off';
  // Where ours came onto one of these, its end could take a router of others with it: a person
  // decides.
  return !isNotOurs && subnets?.length === 0 ? 'take-off' : 'nothing';
}
