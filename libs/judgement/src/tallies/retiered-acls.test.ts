import { entityOf, row } from '../testing/builders';
import { retieredAcls } from './retiered-acls';

const acl = (tier: number | undefined, external_ids: Record<string, string>) =>
  entityOf(
    row('ACL', '', {
      uid: 'a',
      match: 'ip4',
      external_ids,
      ...(tier === undefined ? {} : { tier }),
    }),
  );

test.each<[string, number | undefined, Record<string, string>, readonly string[]]>([
  ["one of Neutron's in another tier", 2, { 'neutron:security_group_rule_id': 'x' }, ['neutron']],
  ["one of Neutron's where it belongs", undefined, { 'neutron:security_group_rule_id': 'x' }, []],
  ["one of Kube-OVN's", 2, { vendor: 'kube-ovn', parent: 'apps' }, []],
  ['one nobody knows', 2, {}, []],
])('%s', (_, tier, ids, keys) => expect(retieredAcls.keys(acl(tier, ids))).toEqual(keys));

test('removing undoes adding', () => {
  const figure = retieredAcls.start();
  retieredAcls.add(figure, acl(2, {}), 'neutron');
  expect(figure).toEqual({ count: 1 });
  retieredAcls.remove(figure, acl(2, {}), 'neutron');
  expect(figure).toEqual({ count: 0 });
});
