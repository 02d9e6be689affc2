import { localEvidence } from '../ownership/local-evidence';
import { defineRelation } from '../world/relation';

/**
 * By uid: the port groups of Kube-OVN's network policies. Groups of nodes and subnets carry the key
 * too, beside keys of their own. Before v1.15 no group has the vendor's tag (kube-ovn.md §0, fact
 * 4): then key and name have to say the same.
 */
export const policyGroups = defineRelation({
  id: 'policy-groups',
  kinds: ['Port_Group'],
  keys(group) {
    const { external_ids: ids = {} } = group.object;
    const isOfPolicy =
      (ids['vendor'] === 'kube-ovn' || localEvidence(group).owner === 'kube-ovn') &&
      Object.hasOwn(ids, 'np') &&
      !['node', 'subnet', 'ls'].some((it) => Object.hasOwn(ids, it));
    return isOfPolicy ? [group.uid] : [];
  },
});
