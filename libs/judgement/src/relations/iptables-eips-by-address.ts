import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { defineRelation } from '../world/relation';

/** External addresses of NAT gateways by the IPv4 address that they have or request. */
export const iptablesEipsByAddress = defineRelation({
  id: 'iptables-eips-by-address',
  kinds: ['IptablesEIP'],
  keys: ({ object: { spec, status } }) => [
    ...new Set(
      [status?.ip, spec?.v4ip].flatMap((it) => (it ? (tryParseIp(it) ?? []) : [])).map(formatIp),
    ),
  ],
});
