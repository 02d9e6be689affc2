import { defineRelation } from '../world/relation';

/**
 * ACLs that drop in the last tier, all under `any`: those of baseline policies, and of security
 * groups put there (kube-ovn.md §3.4). What an ACL of another tier lets through passes them.
 */
export const dropsInLastTier = defineRelation({
  id: 'drops-in-last-tier',
  kinds: ['ACL'],
  keys: ({ object: { tier, action } }) =>
    tier === 3 && (action === 'drop' || action === 'reject') ? ['any'] : [],
});
