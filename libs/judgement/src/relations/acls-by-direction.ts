import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/**
 * ACLs by `<uuid of the group or switch> <direction>`, and those that drop by `<uuid> <direction>
 * drop`.
 */
export const aclsByDirection = defineRelation({
  id: 'acls-by-direction',
  kinds: ['ACL'],
  keys: (acl) =>
    parentsOf(acl).flatMap(({ uid }) => {
      const key = `${uid} ${acl.object.direction}`;
      return acl.object.action === 'drop' ? [key, `${key} drop`] : [key];
    }),
});
