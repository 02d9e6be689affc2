import { ovnNatRulesByEip } from '../relations/ovn-nat-rules-by-eip';
import type { Blocker } from '../world/deletion';
import { held } from '../world/deletion';
import { stuckDeletion } from '../world/stuck-deletion';
import { defineRule } from './rule';

/** An OvnEip that was told to go and waits for the NAT rules that use it (kube-ovn.md §7.3, row 43). */
export default defineRule({
  id: 'stuck-ovn-eip-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'OvnEip',
  reads: ['OvnFip', 'OvnSnatRule', 'OvnDnatRule', 'Subnet'],
  about: 'An external address that does not finish its deletion: floating IPs, SNAT or DNAT rules still use it, or its subnet is gone.',

  check: (eip, view) =>
    stuckDeletion(eip, () => {
      const subnet = eip.object.spec?.externalSubnet ?? '';
      const gone: Blocker[] = subnet !== '' && view.presence('Subnet', subnet) === 'absent' ? [{ because: `its external Subnet ${subnet} no longer exists` }] : [];
      return [...gone, ...held('NAT rules still use it', view.related(ovnNatRulesByEip, eip.name))];
    }),
});
