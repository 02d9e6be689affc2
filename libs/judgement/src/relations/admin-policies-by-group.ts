import { ADMIN_POLICY_KINDS, groupOfAdminPolicy } from '../kube-ovn/admin-policies';
import { defineRelation } from '../world/relation';

/** Policies of administrators by the name of their port group, which two may share. */
export const adminPoliciesByGroup = defineRelation({
  id: 'admin-policies-by-group',
  kinds: ADMIN_POLICY_KINDS,
  keys: (policy) => [groupOfAdminPolicy(policy)],
});
