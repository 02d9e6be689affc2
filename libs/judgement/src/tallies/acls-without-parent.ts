import { localEvidence } from '../ownership/local-evidence';
import { defineTally } from '../world/relation';

/** Who says by no key whose it is may be Kube-OVN, in old releases. */
const NOT_FOREIGN: ReadonlySet<string> = new Set(['kube-ovn', 'unknown', 'none', 'shared']);

/** ACLs that are not Kube-OVN's by their own keys and do not have its key `parent`; under one key, how many there are. */
export const aclsWithoutParent = defineTally<'ACL', { count: number }>({
  id: 'acls-without-parent',
  kinds: ['ACL'],
  keys: (acl) =>
    Object.hasOwn(acl.object.external_ids ?? {}, 'parent') ||
    NOT_FOREIGN.has(localEvidence(acl).owner)
      ? []
      : ['foreign'],
  start: () => ({ count: 0 }),
  add: (figure) => {
    figure.count += 1;
  },
  remove: (figure) => {
    figure.count -= 1;
  },
});
