import { defineRelation } from '../world/relation';

/** By uid: the port groups of Kube-OVN's network policies. Groups of nodes and subnets carry the key too, beside keys of their own. */
export const policyGroups = defineRelation({
  id: 'policy-groups',
  kinds: ['Port_Group'],
  keys({ uid, object: { external_ids: ids = {} } }) {
    const isOfPolicy =
      ids['vendor'] === 'kube-ovn' &&
      Object.hasOwn(ids, 'np') &&
      !['node', 'subnet', 'ls'].some((it) => Object.hasOwn(ids, it));
    return isOfPolicy ? [uid] : [];
  },
});
