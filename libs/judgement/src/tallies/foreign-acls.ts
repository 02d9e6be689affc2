import { localEvidence } from '../ownership/local-evidence';
import { defineTally } from '../world/relation';

/** Who says by no key whose it is may be Kube-OVN, in old releases. */
const NOT_FOREIGN: ReadonlySet<string> = new Set(['kube-ovn', 'unknown', 'none', 'shared']);

/**
 * What is counted: ACLs of others without Kube-OVN's key `parent`, and those of Neutron, which
 * writes all in tier 0, that are in another tier.
 */
export const FOREIGN_ACLS = { withoutParent: 'without-parent', movedTier: 'moved-tier' } as const;

/** ACLs that are not Kube-OVN's by their own keys; under each key, how many of them there are. */
export const foreignAcls = defineTally<'ACL', { count: number }>({
  id: 'foreign-acls',
  kinds: ['ACL'],
  keys: (acl) => {
    const { external_ids: ids = {}, tier } = acl.object;
    const hasParent = Object.hasOwn(ids, 'parent');
    const isInTier0 = typeof tier !== 'number' || tier === 0;
    if (hasParent && isInTier0) return [];
    const { owner } = localEvidence(acl);
    return [
      ...(hasParent || NOT_FOREIGN.has(owner) ? [] : [FOREIGN_ACLS.withoutParent]),
      ...(isInTier0 || owner !== 'neutron' ? [] : [FOREIGN_ACLS.movedTier]),
    ];
  },
  start: () => ({ count: 0 }),
  add: (figure) => {
    figure.count += 1;
  },
  remove: (figure) => {
    figure.count -= 1;
  },
});
