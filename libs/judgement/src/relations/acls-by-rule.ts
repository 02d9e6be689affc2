import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/**
 * ACLs by `<uuid of the group or switch> <direction> <priority> <tier> <match>`: by these OVN
 * distinguishes them, regardless of their action.
 */
export const aclsByRule = defineRelation({
  id: 'acls-by-rule',
  kinds: ['ACL'],
  keys: (acl) => {
    const { direction = '', priority = 0, tier = 0, match = '' } = acl.object;
    return parentsOf(acl).map(({ uid }) => `${uid} ${direction} ${priority} ${tier} ${match}`);
  },
});
