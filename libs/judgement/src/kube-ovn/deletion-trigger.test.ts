import { entityOf, object } from '../testing/builders';
import type { Release } from './release';
import {
  abandonedFinalizers,
  isDeletedOnChange,
  passedOverByStart,
  deletionTrigger,
} from './deletion-trigger';

const TODAY = 'kubeovn.io/kube-ovn-controller';
const FORMER = 'kube-ovn-controller';

test.each<[string, string, Release | undefined, string]>([
  // v1.12 writes and removes its own finalizer alone, of an IP only when that changes.
  ['IP', TODAY, [1, 12, 35], 'never'],
  ['IP', FORMER, [1, 12, 35], 'change'],
  ['OvnEip', FORMER, [1, 12, 35], 'change'],
  ['Subnet', FORMER, [1, 12, 35], 'start'],
  ['Subnet', TODAY, [1, 12, 35], 'never'],
  // Every start of the later ones takes the former one off.
  ['IP', FORMER, [1, 13, 0], 'start'],
  ['Vip', FORMER, [1, 16, 2], 'start'],
  ['IP', TODAY, [1, 13, 0], 'change'],
  ['Vip', TODAY, [1, 13, 15], 'change'],
  ['QoSPolicy', TODAY, [1, 16, 2], 'change'],
  ['IptablesEIP', TODAY, [1, 17, 0], 'change'],
  ['VpcEgressGateway', TODAY, [1, 14, 41], 'start'],
  ['IPPool', TODAY, [1, 15, 24], 'change'],
  ['OvnFip', 'ovn.kubernetes.io/fip', [1, 15, 24], 'never'],
  ['OvnFip', 'ovn.kubernetes.io/fip', undefined, 'never'],
  ['OvnEip', TODAY, undefined, 'change'],
  ['OvnEip', FORMER, undefined, 'depends on the release'],
  ['Subnet', FORMER, undefined, 'start'],
  ['Vpc', TODAY, undefined, 'start'],
])('%s with %s, Kube-OVN %s: %s', (kind, finalizer, release, expected) =>
  expect(deletionTrigger(kind, finalizer, release)).toBe(expected),
);

const SAYS = 'a restart does not help';
test.each<[string, Release | undefined, string | undefined]>([
  ['IP', [1, 12, 35], SAYS],
  ['IP', [1, 13, 0], undefined],
  ['IP', undefined, `before v1.13 ${SAYS}`],
  ['Vip', [1, 12, 35], SAYS],
  ['Vip', [1, 17, 0], SAYS],
  ['Vip', undefined, SAYS],
  ['QoSPolicy', [1, 16, 2], SAYS],
  ['QoSPolicy', [1, 17, 0], undefined],
  ['OvnEip', undefined, `before v1.17 ${SAYS}`],
])('a start of %s and %s', (kind, release, expected) =>
  expect(passedOverByStart(kind, release)).toBe(expected),
);

test('what is handled at a start alone', () => {
  expect(['Subnet', 'Vpc', 'IPPool', 'VpcEgressGateway', 'IP'].filter(isDeletedOnChange)).toEqual([
    'IPPool',
    'IP',
  ]);
});

test('finalizers that nobody removes are named, those of others are not', () => {
  const finalizers = [TODAY, FORMER, 'ovn.kubernetes.io/fip', 'example.org/keep'];
  const vpc = entityOf(object('Vpc', 'v', { metadata: { finalizers } }));
  const lost = { because: 'finalizer ovn.kubernetes.io/fip, which no controller removes any more' };
  expect(abandonedFinalizers(vpc, [1, 13, 0])).toEqual([lost]);
  expect(abandonedFinalizers(vpc, undefined)).toEqual([lost]);
  expect(abandonedFinalizers(vpc, [1, 12, 35])).toEqual([
    { because: `finalizer ${TODAY}, which Kube-OVN before v1.13 does not know` },
    lost,
  ]);
});
