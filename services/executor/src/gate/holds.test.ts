import type { Hold } from '../control/control-state';
import { finding } from '../testing/findings';
import { holdOn, holdText } from './holds';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const hold = (scope: Hold['scope'], until: string | null = null, by = 'anna'): Hold => ({
  scope,
  reason: 'migration',
  by,
  at: '2026-11-21T11:00:00Z',
  until,
});
const IN_APPS = finding('a', { scope: { vpc: 'tenant-a', subnet: 'apps' } });
const holds = (it: Hold, of = IN_APPS): boolean => holdOn(of, [it], NOW) !== undefined;

test('all that it names must match; nothing named is everything', () => {
  expect(
    [
      {},
      { rule: IN_APPS.rule },
      { vpc: 'tenant-a' },
      { subnet: 'apps' },
      { rule: IN_APPS.rule, vpc: 'tenant-a', subnet: 'apps' },
    ].map((it) => holds(hold(it))),
  ).toEqual([true, true, true, true, true]);
  expect(
    [
      { rule: 'leaked-ip' },
      { vpc: 'tenant-b' },
      { subnet: 'db' },
      { vpc: 'tenant-a', subnet: 'db' },
      { rule: 'leaked-ip', vpc: 'tenant-a' },
    ].map((it) => holds(hold(it))),
  ).toEqual([false, false, false, false, false]);
});

test('a name that is no rule holds every rule, in the places that are named, and says so', () => {
  expect(holds(hold({ rule: 'leakedip' }))).toBe(true);
  expect(holds(hold({ rule: 'leakedip', vpc: 'tenant-b' }))).toBe(false);
  expect(holdText(hold({ rule: 'leakedip' }))).toMatch(
    /every rule, since there is no rule "leakedip"; did you mean "leaked-ip"\?/,
  );
});

test('what may lie in the place that is held is held', () => {
  expect(
    [finding('a'), finding('a', { scope: {} }), finding('a', { scope: { vpc: 'tenant-a' } })].map(
      (it) => holds(hold({ vpc: 'tenant-a', subnet: 'apps' }), it),
    ),
  ).toEqual([true, true, true]);
  expect(
    holds(hold({ vpc: 'tenant-a', subnet: 'apps' }), finding('a', { scope: { vpc: 'tenant-b' } })),
  ).toBe(false);
});

test('it ends when it says; one whose end cannot be read does not', () => {
  expect(
    ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.001Z', 'tomorrow', null].map((it) =>
      holds(hold({}, it)),
    ),
  ).toEqual([false, true, true, true]);
});

test('lets through what it excepts by name, and no removal', () => {
  const excepting: Hold = { ...hold({}), except: ['undo'] };
  expect(
    [undefined, 'undo', 'put-back'].map(
      (it) => holdOn(IN_APPS, [excepting], NOW, it as 'undo' | undefined) !== undefined,
    ),
  ).toEqual([true, false, true]);
  expect(holdOn(IN_APPS, [hold({})], NOW, 'undo')).toBeDefined();
});

test('of several the longest is reported, in whatever order they come', () => {
  const several = [
    hold({}, '2026-11-21T13:00:00Z', 'ben'),
    hold({}, null, 'anna'),
    hold({ vpc: 'tenant-a' }, null, 'carl'),
    hold({}, '2026-11-22T13:00:00Z', 'dora'),
  ];
  expect([several, [...several].reverse()].map((it) => holdOn(IN_APPS, it, NOW)?.by)).toEqual([
    'carl',
    'carl',
  ]);
  expect(
    holdOn(
      IN_APPS,
      several.filter((it) => it.until !== null),
      NOW,
    )?.by,
  ).toBe('dora');
});

test('in words', () => {
  expect(holdText(hold({ rule: 'leaked-ip', subnet: 'apps' }, '2026-11-22T00:00:00Z'))).toBe(
    'anna holds rule leaked-ip, subnet apps (migration) until 2026-11-22T00:00:00Z',
  );
  expect(holdText({ ...hold({}), reason: '' })).toBe(
    'anna holds the whole cluster until somebody resumes it with steward resume',
  );
});
