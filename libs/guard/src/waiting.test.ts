import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { oldestSeconds, waitingVpc } from './waiting';

const SINCE = '2026-01-01T00:00:00Z';
const vpc = (metadata: object): KubernetesObject => ({
  kind: 'Vpc',
  metadata: { name: 'v', uid: 'u', resourceVersion: '1', finalizers: ['f'], ...metadata },
});
const SUBNETS = [{ name: 's', vpc: 'v', isDefault: false }];

test('a Vpc that is being deleted waits, for the subnets that are known to name it', () => {
  const going = vpc({ deletionTimestamp: SINCE });
  const waiting = { name: 'v', uid: 'u', since: SINCE, finalizers: ['f'] };
  expect([
    waitingVpc(going, SUBNETS),
    waitingVpc(going, []),
    waitingVpc(going, undefined),
    waitingVpc(vpc({}), SUBNETS),
  ]).toEqual([
    { ...waiting, subnets: ['s'] },
    { ...waiting, subnets: [] },
    { ...waiting, subnets: undefined },
    undefined,
  ]);
});

test('the oldest counts, in seconds, and none is waited for before it was reported', () => {
  const since = (second: number) =>
    waitingVpc(vpc({ deletionTimestamp: `2026-01-01T00:00:${second}Z` }), [])!;
  const now = new Date('2026-01-01T00:00:50Z');
  expect([
    oldestSeconds([since(40), since(20), since(30)], now),
    oldestSeconds([since(55)], now),
    oldestSeconds([], now),
  ]).toEqual([30, 0, 0]);
});
