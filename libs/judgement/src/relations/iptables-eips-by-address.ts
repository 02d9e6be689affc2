import { addressesOfIptablesEip } from '../kube-ovn/external-addresses';
import { defineRelation } from '../world/relation';

/** External addresses of NAT gateways by the IPv4 address that they have or request. */
export const iptablesEipsByAddress = defineRelation({
  id: 'iptables-eips-by-address',
  kinds: ['IptablesEIP'],
  keys: addressesOfIptablesEip,
});
