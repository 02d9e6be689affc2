import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { defineRelation } from '../world/relation';

/**
 * OvnEips for NAT by the addresses they were given or request; those of router ports and nodes are
 * used without NAT.
 */
export const ovnEipsByAddress = defineRelation({
  id: 'ovn-eips-by-address',
  kinds: ['OvnEip'],
  keys: ({ object: { spec, status } }) => {
    if (!['', 'nat'].includes(status?.type || spec?.type || '')) return [];
    return [status?.v4Ip, status?.v6Ip, spec?.v4Ip, spec?.v6Ip]
      .flatMap((it) => (it ? (tryParseIp(it) ?? []) : []))
      .map(formatIp);
  },
});
