import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/**
 * Router policies by `<uuid of the router> <priority> <match>`: two of these are one to Kube-OVN
 * (kube-ovn.md §3.3).
 */
export const routerPoliciesByRule = defineRelation({
  id: 'router-policies-by-rule',
  kinds: ['Logical_Router_Policy'],
  keys: (policy) => {
    const { priority = 0, match = '' } = policy.object;
    return parentsOf(policy).map(({ uid }) => `${uid} ${priority} ${match}`);
  },
});
