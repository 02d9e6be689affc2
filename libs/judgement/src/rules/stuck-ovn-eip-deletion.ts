import { ovnNatRulesByEip } from '../relations/ovn-nat-rules-by-eip';
import type { Blocker } from '../world/deletion';
import { held, isTerminating } from '../world/deletion';
import type { Entity } from '../world/entity';
import { stuckDeletion } from '../world/stuck-deletion';
import type { View } from '../world/view';
import { defineRule } from './rule';

/** An OvnEip that was told to go and waits for the NAT rules that use it (kube-ovn.md §7.3, row 43). */
export default defineRule({
  id: 'stuck-ovn-eip-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'OvnEip',
  reads: ['OvnFip', 'OvnSnatRule', 'OvnDnatRule', 'Subnet', 'Vpc'],
  about: 'An external address that does not finish its deletion: floating IPs, SNAT or DNAT rules still use it, or its subnet is gone.',

  check: (eip, view) =>
    stuckDeletion(eip, () => {
      const subnet = eip.object.spec?.externalSubnet ?? '';
      const gone: Blocker[] = subnet !== '' && view.presence('Subnet', subnet) === 'absent' ? [{ because: `its external Subnet ${subnet} no longer exists` }] : [];
      const rules = view.related(ovnNatRulesByEip, eip.name);
      return [...gone, ...held('NAT rules still use it', rules), ...stranded(rules, view)];
    }),
});

/** Rules that cannot finish their own deletion: the router of their VPC, on which they would remove their row, is gone (row 43). */
function stranded(rules: readonly Entity<'OvnFip' | 'OvnSnatRule' | 'OvnDnatRule'>[], view: View<'Vpc'>): Blocker[] {
  const vpcs = rules.filter(isTerminating).flatMap(({ object: { spec, status } }) => status?.vpc || spec?.vpc || []);
  const absent = [...new Set(vpcs)].filter((it) => view.presence('Vpc', it) === 'absent').sort();
  return absent.map((it) => ({ because: `their Vpc ${it} no longer exists: with an empty Vpc of that name they can finish` }));
}
