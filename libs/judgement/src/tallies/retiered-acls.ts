import { localEvidence } from '../ownership/local-evidence';
import { defineTally } from '../world/relation';

/** Neutron writes its ACLs in tier 0 and never sets the column; under one key, how many of them are in another. */
export const retieredAcls = defineTally<'ACL', { count: number }>({
  id: 'retiered-acls',
  kinds: ['ACL'],
  keys: (acl) =>
    typeof acl.object['tier'] === 'number' &&
    acl.object['tier'] !== 0 &&
    localEvidence(acl).owner === 'neutron'
      ? ['neutron']
      : [],
  start: () => ({ count: 0 }),
  add: (figure) => {
    figure.count += 1;
  },
  remove: (figure) => {
    figure.count -= 1;
  },
});
