import { defineRelation } from '../world/relation';

/** The address set of an IPPool, by the pool's name (kube-ovn.md §3.4). */
export const addressSetsByPool = defineRelation({
  id: 'address-sets-by-pool',
  kinds: ['Address_Set'],
  keys: ({ object: { external_ids: ids } }) =>
    ids && Object.hasOwn(ids, 'ippool') ? [ids['ippool']!] : [],
});
