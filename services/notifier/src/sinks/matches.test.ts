import { finding } from '../testing/findings';
import { matches } from './matches';

const one = finding('a', {
  scope: { subnet: 'apps', vpc: 'red' },
  subject: { source: 'kubernetes', kind: 'IP', name: 'i', uid: 'u', namespace: 'shop' },
});

test('without routes every finding is sent', () => expect(matches(one, [])).toBe(true));

test.each([
  [{ clusters: ['berlin-1'] }, { clusters: ['other'] }],
  [{ classes: ['leak', 'garbage'] }, { classes: ['leak'] }],
  [{ rules: ['orphaned-logical-switch-port'] }, { rules: ['orphaned'] }],
  [{ vpcs: ['red'] }, { vpcs: ['blue'] }],
  [{ subnets: ['apps'] }, { subnets: ['red'] }],
  [{ namespaces: ['shop'] }, { namespaces: ['apps'] }],
  [{ severity: 'warning' as const }, { severity: 'critical' as const }],
  [
    { vpcs: ['red'], classes: ['garbage'] },
    { vpcs: ['red'], classes: ['leak'] },
  ],
])('%j takes it, %j does not; any of several routes will do', (yes, no) => {
  expect(matches(one, [yes])).toBe(true);
  expect(matches(one, [no])).toBe(false);
  expect(matches(one, [no, yes])).toBe(true);
});

test('what a finding does not say no route can name', () => {
  const nowhere = finding('a', { scope: {} });
  expect(matches(nowhere, [{ subnets: ['apps'] }])).toBe(false);
  expect(matches(nowhere, [{ vpcs: ['red'] }])).toBe(false);
});

test('a severity of a later version counts as the worst', () =>
  expect(matches(finding('a', { severity: 'fatal' as never }), [{ severity: 'critical' }])).toBe(
    true,
  ));
