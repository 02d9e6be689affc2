import { defineRelation } from '../world/relation';

/** Floating IPs, SNAT and DNAT rules by the OvnEip they use. */
export const ovnNatRulesByEip = defineRelation({
  id: 'ovn-nat-rules-by-eip',
  kinds: ['OvnFip', 'OvnSnatRule', 'OvnDnatRule'],
  keys: ({ object: { spec } }) => (spec?.ovnEip ? [spec.ovnEip] : []),
});
