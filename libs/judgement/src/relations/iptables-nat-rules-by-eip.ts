import { defineRelation } from '../world/relation';

/** A NAT gateway's rules by the IptablesEIP they use. */
export const iptablesNatRulesByEip = defineRelation({
  id: 'iptables-nat-rules-by-eip',
  kinds: ['IptablesFIPRule', 'IptablesSnatRule', 'IptablesDnatRule'],
  keys: ({ object: { spec } }) => (spec?.eip ? [spec.eip] : []),
});
