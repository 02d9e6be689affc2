import { entityOf, row } from '../testing/builders';
import { foreignAcls } from './foreign-acls';

const acl = (external_ids: Record<string, string>, tier?: number) =>
  entityOf(
    row('ACL', '', {
      uid: 'a',
      match: 'ip4',
      external_ids,
      ...(tier === undefined ? {} : { tier }),
    }),
  );
const NEUTRON = { 'neutron:security_group_rule_id': 'x' };
const WITH_PARENT = { ...NEUTRON, parent: 'neutron-pg' };

test.each<[string, Record<string, string>, number | undefined, readonly string[]]>([
  ["one of Neutron's", NEUTRON, undefined, ['without-parent']],
  ["one of Neutron's with the key", WITH_PARENT, undefined, []],
  ["one of Neutron's with the key, in tier 0", WITH_PARENT, 0, []],
  ["one of Neutron's in another tier", NEUTRON, 2, ['without-parent', 'moved-tier']],
  ["one of Neutron's with the key in another tier", WITH_PARENT, 2, ['moved-tier']],
  ["one of Kube-OVN's without the key", { vendor: 'kube-ovn' }, undefined, []],
  ["one of Kube-OVN's", { vendor: 'kube-ovn', parent: 'apps' }, undefined, []],
  ["one of Kube-OVN's in another tier", { vendor: 'kube-ovn', parent: 'apps' }, 2, []],
  ['one nobody knows', {}, undefined, []],
  ['one nobody knows in another tier', {}, 2, []],
])('%s', (_, ids, tier, keys) => expect(foreignAcls.keys(acl(ids, tier))).toEqual(keys));

test.each(['without-parent', 'moved-tier'])('removing undoes adding: %s', (key) => {
  const figure = foreignAcls.start();
  foreignAcls.add(figure, acl({}), key);
  expect(figure).toEqual({ count: 1 });
  foreignAcls.remove(figure, acl({}), key);
  expect(figure).toEqual({ count: 0 });
});
