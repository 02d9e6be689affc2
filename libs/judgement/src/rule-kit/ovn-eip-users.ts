import { addressesOfOvnEip } from '../kube-ovn/external-addresses';
import { ovnNatRulesByEip } from '../relations/ovn-nat-rules-by-eip';
import type { Entity } from '../world/entity';
import type { View } from './view';

/** The kinds of rules that use an OvnEip. */
export type OvnNatRuleKind = 'OvnFip' | 'OvnSnatRule' | 'OvnDnatRule';

/** The rules that name the OvnEip, and those that have its address though they name another one. */
export function usersOfOvnEip(
  eip: Entity<'OvnEip'>,
  view: View<OvnNatRuleKind>,
): readonly Entity<OvnNatRuleKind>[] {
  const keys = [eip.name, ...addressesOfOvnEip(eip).map((it) => `address ${it}`)];
  return [...new Set(keys.flatMap((it) => view.related(ovnNatRulesByEip, it)))];
}
