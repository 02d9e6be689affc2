import { entityOf, row } from '../testing/builders';
import { neighbours } from './neighbours';

const U = '8f3a1c2e-0b5d-4e6f-9a7b-1c2d3e4f5a6b';
const theirs = entityOf(
  row('Logical_Switch', `neutron-${U}`, { external_ids: { 'neutron:network_name': 'net' } }),
);
const made = entityOf(row('Logical_Switch', 'by-hand', {}));

test('what carries the tag of Kube-OVN, or a name its collection spares, is no neighbour', () => {
  const keys = (...[kind, name, external_ids]: Parameters<typeof keysOf>) =>
    keysOf(kind, name, external_ids);
  expect(keys('Logical_Switch', 'apps', { vendor: 'kube-ovn' })).toEqual([]);
  expect(keys('Logical_Switch', 'ts', {})).toEqual([]);
  expect(keys('Logical_Switch', 'ts1', {})).toEqual(['Logical_Switch']);
  expect(keys('Load_Balancer', 'vpc-red-tcp-sess-load', {})).toEqual([]);
  expect(keys('Load_Balancer', 'octavia', {})).toEqual(['Load_Balancer']);
});

test('of ports, router ports and groups, only what some release takes is a neighbour', () => {
  const keys = (kind: Tallied, object: Record<string, unknown>) =>
    neighbours.keys(entityOf(row(kind, 'by-hand', object)));
  const taken = (kind: Tallied, object: Record<string, unknown>) =>
    expect([kind, object, keys(kind, object)]).toEqual([kind, object, [kind]]);
  const spared = (kind: Tallied, object: Record<string, unknown>) =>
    expect([kind, object, keys(kind, object)]).toEqual([kind, object, []]);
  taken('Logical_Switch_Port', {});
  taken('Logical_Switch_Port', { type: '', external_ids: { 'neutron:port_name': 'x' } });
  spared('Logical_Switch_Port', { type: 'router' });
  spared('Logical_Switch_Port', { external_ids: { vendor: 'kube-ovn' } });
  taken('Logical_Router_Port', { peer: 'other' });
  spared('Logical_Router_Port', {});
  spared('Logical_Router_Port', { peer: 'other', external_ids: { vendor: 'kube-ovn' } });
  taken('Port_Group', {});
  taken('Port_Group', { external_ids: { 'neutron:security_group_id': U } });
  spared('Port_Group', { external_ids: { np: 'shop/web' } });
  spared('Port_Group', { external_ids: { sg: 'web', type: 'security_group' } });
  spared('Port_Group', { external_ids: { anp: 'all' } });
  expect(neighbours.keys(entityOf(row('Port_Group', 'ovn.sg.kubeovn_deny_all', {})))).toEqual([]);
});

test('rows are counted by whose keys they carry, and removing undoes adding', () => {
  const figure = neighbours.start();
  for (const it of [theirs, made, theirs]) neighbours.add(figure, it, 'Logical_Switch');
  expect([...figure]).toEqual([
    ['neutron', 2],
    ['unknown', 1],
  ]);
  for (const it of [theirs, made]) neighbours.remove(figure, it, 'Logical_Switch');
  expect([...figure]).toEqual([['neutron', 1]]);
});

type Tallied = 'Logical_Switch_Port' | 'Logical_Router_Port' | 'Port_Group';

const keysOf = (
  kind: 'Logical_Switch' | 'Load_Balancer',
  name: string,
  external_ids: Record<string, string>,
): readonly string[] => neighbours.keys(entityOf(row(kind, name, { external_ids })));
