import { ClusterIdentity, identityText, sameIdentity } from './cluster-identity';

const PAIR: ClusterIdentity = { northbound: 'nb:1', kubernetes: 'uid-1' };

test.each([
  ['itself', {}, true],
  ['another Northbound', { northbound: 'nb:2' }, false],
  ['another Kubernetes', { kubernetes: 'uid-2' }, false],
])('a pair compared with %s', (_, other, same) => {
  expect(sameIdentity(PAIR, { ...PAIR, ...other })).toBe(same);
});

test('half a pair is none', () => {
  expect(ClusterIdentity.safeParse({ ...PAIR, kubernetes: '' }).success).toBe(false);
  expect(ClusterIdentity.safeParse({ northbound: 'nb:1' }).success).toBe(false);
});

test('its text names both halves, and writes nothing but text', () => {
  expect(identityText({ northbound: 'nb:1\u001b[2J', kubernetes: 'uid-1' })).toMatch(
    /^the Northbound nb:1[ -~]*\[2J with the Kubernetes uid-1$/,
  );
});
