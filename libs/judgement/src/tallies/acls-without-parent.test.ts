import { entityOf, row } from '../testing/builders';
import { aclsWithoutParent } from './acls-without-parent';

const acl = (external_ids: Record<string, string>) =>
  entityOf(row('ACL', '', { uid: 'a', match: 'ip4', external_ids }));

test.each<[string, Record<string, string>, readonly string[]]>([
  ["one of Neutron's", { 'neutron:security_group_rule_id': 'x' }, ['foreign']],
  [
    "one of Neutron's with the key",
    { 'neutron:security_group_rule_id': 'x', parent: 'neutron-pg' },
    [],
  ],
  ["one of Kube-OVN's without the key", { vendor: 'kube-ovn' }, []],
  ["one of Kube-OVN's", { vendor: 'kube-ovn', parent: 'apps' }, []],
  ['one nobody knows', {}, []],
])('%s', (_, ids, keys) => expect(aclsWithoutParent.keys(acl(ids))).toEqual(keys));

test('removing undoes adding', () => {
  const figure = aclsWithoutParent.start();
  aclsWithoutParent.add(figure, acl({}), 'foreign');
  expect(figure).toEqual({ count: 1 });
  aclsWithoutParent.remove(figure, acl({}), 'foreign');
  expect(figure).toEqual({ count: 0 });
});
