import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/** ACLs by the port group or switch that holds them. */
export const aclsByHolder = defineRelation({
  id: 'acls-by-holder',
  kinds: ['ACL'],
  keys: (acl) => parentsOf(acl).map((it) => it.uid),
});
