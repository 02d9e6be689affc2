import { ADMIN_POLICY_KINDS } from '../kube-ovn/admin-policies';
import { defineRelation } from '../world/relation';

/**
 * Policies of administrators, all under `any`; those to which a priority is given by `<kind> <tier>
 * <priority>` as well, which Kube-OVN takes for one policy alone.
 */
export const adminPolicies = defineRelation({
  id: 'admin-policies',
  kinds: ADMIN_POLICY_KINDS,
  keys: ({ kind, object: { spec = {} } }) =>
    spec.priority === undefined ? ['any'] : ['any', `${kind} ${spec.tier ?? ''} ${spec.priority}`],
});
