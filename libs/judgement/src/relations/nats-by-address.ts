import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { defineRelation } from '../world/relation';

/** NAT rows by their external address, in one spelling. */
export const natsByAddress = defineRelation({
  id: 'nats-by-address',
  kinds: ['NAT'],
  keys: ({ object: { external_ip: external } }) => {
    const address = external ? tryParseIp(external) : undefined;
    return address ? [formatIp(address)] : [];
  },
});
