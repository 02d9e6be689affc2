import { defineRelation } from '../world/relation';

/**
 * The ends of tunnels by their address. One address ends one tunnel of a type in the whole database
 * (ovn-sb(5), Encap).
 */
export const encapsByIp = defineRelation({
  id: 'encaps-by-ip',
  kinds: ['Encap'],
  keys: ({ object: { ip = '' } }) => (ip === '' ? [] : [ip]),
});
