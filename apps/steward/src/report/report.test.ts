import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { smallAudit, smallReport } from './testing/small-report';

const ASOF = '2026-03-02T10:00:00.000Z';
const finding = (id: string, more: Partial<Finding>): Finding => ({
  ...smallAudit().findings[0]!,
  id,
  ...more,
});
const hoursAgo = (hours: number): string =>
  new Date(Date.parse(ASOF) - hours * 3_600_000).toISOString();

test('counts by tenant: what a finding says, else what its subnet and its cause say', () => {
  const pod = { kind: 'Pod', key: 'shop/a', text: 'Pod shop/a no longer exists' };
  const { tenants, causes } = smallReport({
    findings: [
      finding('a', { scope: { vpc: 'own', subnet: 'full' }, cause: pod }),
      finding('b', { scope: { subnet: 'full' }, cause: pod }),
      finding('c', { scope: {}, cause: { kind: 'Namespace', key: 'old', text: 'x' } }),
      finding('d', { scope: {}, cause: { kind: 'Node', key: 'a/b', text: 'y' } }),
    ],
  });
  expect(tenants.vpcs).toEqual([
    { name: 'unknown', count: 2 },
    { name: 'own', count: 1 },
    { name: 'tenant', count: 1 },
  ]);
  expect(tenants.namespaces).toEqual([
    { name: 'shop', count: 2 },
    { name: 'old', count: 1 },
    { name: 'unknown', count: 1 },
  ]);
  expect(causes[0]).toEqual({ name: pod.text, count: 2 });
});

test('counts ages up to when it was read; what cannot be read is unknown', () => {
  const times = [hoursAgo(-0.01), hoursAgo(0.99), hoursAgo(1), hoursAgo(24), hoursAgo(999), 'x'];
  const { ages } = smallReport({
    asOf: ASOF,
    findings: times.map((firstSeen, at) => finding(String(at), { firstSeen })),
  });
  expect(Object.fromEntries(ages.map((it) => [it.name, it.count]))).toEqual({
    'under 1 hour': 2,
    '1 to 24 hours': 1,
    '1 to 7 days': 1,
    '7 to 30 days': 0,
    '30 days or more': 1,
    unknown: 1,
  });
});

test('says what each subnet lost, and what is free of the scarcer family', () => {
  const { subnets } = smallReport({
    findings: [
      finding('a', { class: 'leak', scope: { subnet: 'full' } }),
      finding('b', { class: 'garbage', scope: { subnet: 'full' } }),
    ],
  });
  expect(subnets.map((it) => [it.name, it.lost, it.free])).toEqual([
    ['ovn-default', 0, '7'],
    ['full', 1, '7'],
    ['dark', 0, null],
  ]);
});
