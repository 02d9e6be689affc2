import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { defineRelation } from '../world/relation';

const spelled = (text: string | undefined): string[] =>
  (text ? [tryParseIp(text)] : []).flatMap((it) => (it ? [formatIp(it)] : []));

/**
 * NAT rows by their external address, and as `inside <address>` by the one they lead to, in one
 * spelling.
 */
export const natsByAddress = defineRelation({
  id: 'nats-by-address',
  kinds: ['NAT'],
  keys: ({ object: { external_ip: external, logical_ip: logical } }) => [
    ...spelled(external),
    ...spelled(logical).map((it) => `inside ${it}`),
  ],
});
