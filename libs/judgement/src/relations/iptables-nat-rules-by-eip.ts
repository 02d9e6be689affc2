import { formatIp, ipsIn } from '@ovn-steward/shared/address';
import { defineRelation } from '../world/relation';

/**
 * A NAT gateway's rules by the IptablesEIP they name, and by the addresses they have, as
 * `address <ip>`. A rule that was changed to name another IptablesEIP keeps the old address in the
 * gateway's pod, its status and its labels until the controller has moved it, which it cannot while
 * the other one has no address (`handleUpdateIptablesFip` and its like in
 * pkg/controller/vpc_nat_gw_nat.go). By the label `eip_v4_ip`, Kube-OVN itself looks for users of
 * an IptablesEIP (`getIptablesEipNat` in pkg/controller/vpc_nat_gw_eip.go, v1.12 to master).
 */
export const iptablesNatRulesByEip = defineRelation({
  id: 'iptables-nat-rules-by-eip',
  kinds: ['IptablesFIPRule', 'IptablesSnatRule', 'IptablesDnatRule'],
  keys: ({ object: { metadata, spec, status } }) => [
    ...(spec?.eip ? [spec.eip] : []),
    ...ipsIn([status?.v4ip, metadata.labels?.['ovn.kubernetes.io/eip_v4_ip']]).map(
      (it) => `address ${formatIp(it)}`,
    ),
  ],
});
