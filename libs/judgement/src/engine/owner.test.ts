import { entityOf, object, port } from '../testing/builders';
import { ownerOf } from './owner';

test.each(['Vip', 'Subnet', 'IP'] as const)("%s is a kind of Kube-OVN's", (kind) =>
  expect(ownerOf(entityOf(object(kind, 'a')))).toMatchObject({
    owner: 'kube-ovn',
    verdict: 'candidate',
    confidence: 3,
  }),
);

test.each(['Pod', 'VirtualMachine', 'NetworkPolicy', 'CustomResourceDefinition'] as const)(
  '%s is kept: it is of the users',
  (kind) =>
    expect(ownerOf(entityOf(object(kind, 'shop/a')))).toMatchObject({
      owner: 'kubernetes',
      verdict: 'protect',
    }),
);

test('a row whose owner no rule established is kept', () =>
  expect(ownerOf(entityOf(port()))).toMatchObject({
    owner: 'unknown',
    verdict: 'protect',
    confidence: 0,
  }));
