import { entityOf, object } from '../testing/builders';
import { isOlderRelease, releaseOf } from './release';

const of = (release: string | undefined) =>
  releaseOf(
    entityOf(
      object('Deployment', 'kube-system/kube-ovn-controller', {
        spec: { template: { spec: { release } } },
      }),
    ),
  );

test.each([
  ['v1.14.4', [1, 14, 4]],
  ['v1.9.0', [1, 9, 0]],
  ['v1.14.4-debug', undefined],
  ['v1.14', undefined],
  ['1.14.4', undefined],
  ['devv1.14.4', undefined],
  ['', undefined],
  [undefined, undefined],
])('%s', (release, expected) => expect(of(release)).toEqual(expected));

test.each([
  ['v1.14.4', 'v1.14.5', true],
  ['v1.14.5', 'v1.14.5', false],
  ['v1.14.10', 'v1.14.5', false],
  ['v1.9.9', 'v1.14.5', true],
  ['v1.15.0', 'v1.14.5', false],
  ['v2.0.0', 'v1.14.5', false],
  ['v0.99.99', 'v1.14.5', true],
])('%s is before %s: %s', (one, other, expected) =>
  expect(isOlderRelease(of(one)!, of(other)!)).toBe(expected),
);
