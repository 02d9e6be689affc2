import { unclaimed } from './facts';

test.each([
  ['Subnet', 'kubernetes'],
  ['Node', 'kubernetes'],
  ['Load_Balancer', 'ovn-nb'],
  ['Logical_Router_Port', 'ovn-nb'],
] as const)('that no %s has a value is known from %s', (kind, source) => {
  expect(unclaimed(kind, 'name', 'x')).toEqual({
    fact: 'unclaimed',
    source,
    kind,
    path: 'name',
    value: 'x',
  });
});
