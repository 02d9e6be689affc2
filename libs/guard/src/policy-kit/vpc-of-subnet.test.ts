import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { isDefault, isExternal, subnetsNaming, subnetVpc } from './vpc-of-subnet';

const object = (name: string, more: object = {}, metadata: object = {}): KubernetesObject => ({
  kind: 'Vpc',
  metadata: { name, uid: name, resourceVersion: '1', ...metadata },
  ...more,
});
const words = (name: string, vpc: string | undefined, isDefaultSubnet = false) => ({
  name,
  vpc,
  isDefault: isDefaultSubnet,
});

test.each<[string, object | undefined, boolean]>([
  ['says that it is a mirror', { 'ovn.kubernetes.io/vpc_external': 'true' }, true],
  ['says so in another way', { 'ovn.kubernetes.io/vpc_external': 'false' }, true],
  ['has other labels', { app: 'x' }, false],
  ['has none', undefined, false],
])('a Vpc whose label %s', (_, labels, expected) => {
  expect(isExternal(object('v', {}, { labels }))).toBe(expected);
});

test.each<[string, KubernetesObject, Parameters<typeof isDefault>[1], boolean]>([
  ['its name', object('ovn-cluster'), [], true],
  ['its status', object('v', { status: { default: true } }), [], true],
  ['the default subnet, which lies in it', object('v'), [words('s', 'v', true)], true],
  ['nothing: another subnet lies in it', object('v'), [words('s', 'v')], false],
  ['nothing: the default subnet lies elsewhere', object('v'), [words('s', 'w', true)], false],
  ['nothing: its status says no', object('v', { status: { default: false } }), [], false],
])('a Vpc is the default one by %s', (_, vpc, subnets, expected) => {
  expect(isDefault(vpc, subnets)).toBe(expected);
});

test.each<[string, object, ReturnType<typeof subnetVpc>]>([
  ['a VPC', { spec: { vpc: 'v' } }, words('s', 'v')],
  ['no VPC: the default one', { spec: {} }, words('s', '')],
  ['that it is the default', { spec: { vpc: 'v', default: true } }, words('s', 'v', true)],
  ['what is no name', { spec: { vpc: 7 } }, words('s', undefined)],
  ['nothing', {}, words('s', undefined)],
])('a Subnet that says %s', (_, more, expected) => {
  expect(subnetVpc(object('s', more))).toEqual(expected);
});

test('the subnets of a Vpc are those that name it; unknown while one does not say', () => {
  const those = [words('b', 'v'), words('a', 'v'), words('c', 'w')];
  expect([
    subnetsNaming('v', those),
    subnetsNaming('x', those),
    subnetsNaming('v', [...those, words('d', undefined)]),
  ]).toEqual([['a', 'b'], [], undefined]);
});
