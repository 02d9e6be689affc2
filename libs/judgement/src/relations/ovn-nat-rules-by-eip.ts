import { externalAddressesOf } from '../kube-ovn/external-addresses';
import { defineRelation } from '../world/relation';

/**
 * Floating IPs, SNAT and DNAT rules by the OvnEip they name, and by the addresses they have, as
 * `address <ip>`. No release moves a rule that is ready to another OvnEip: whose `ovnEip` was
 * changed keeps the old address (`handleUpdateOvnDnatRule` and its like). By that address, in the
 * label `eip_v4_ip`, Kube-OVN itself looks for users of an OvnEip (`getOvnEipNat` in
 * pkg/controller/ovn_eip.go).
 */
export const ovnNatRulesByEip = defineRelation({
  id: 'ovn-nat-rules-by-eip',
  kinds: ['OvnFip', 'OvnSnatRule', 'OvnDnatRule'],
  keys: (rule) => [
    ...(rule.object.spec?.ovnEip ? [rule.object.spec.ovnEip] : []),
    ...externalAddressesOf(rule).map((it) => `address ${it}`),
  ],
});
