import { Settings } from '@ovn-steward/shared/settings/settings';
import { finding } from '../testing/findings';
import {
  addTo,
  allowedAmong,
  type Count,
  type Figures,
  overrunOf,
  overrunText,
  scopesOf,
} from './ceilings';

const { ceilings } = Settings.parse({}).executor;
const NOTHING_SPENT = { all: 0, byRule: new Map(), byVpc: new Map(), bySubnet: new Map() };
const figures = (more: Partial<Figures> = {}): Figures => ({
  ceilings,
  spent: NOTHING_SPENT,
  population: () => undefined,
  ...more,
});
const ports = (count: number, subnet = 'apps') =>
  Array.from({ length: count }, (_, n) =>
    finding(`${subnet}-${n}`, { scope: { vpc: 'tenant-a', subnet } }),
  );
const overrun = (count: number, more: Partial<Figures> = {}, before: Count = new Map()) =>
  overrunOf(ports(count), before, figures(more));

test('a share of what there is, but at least and at most so many; the least where nobody knows', () => {
  const limits = { least: 10, share: 0.01, most: 500 };
  expect(
    [undefined, 0, -1, NaN, 999, 1000, 2999, 50_000, 60_000, Infinity].map((it) =>
      allowedAmong(limits, it),
    ),
  ).toEqual([10, 10, 10, 10, 10, 10, 29, 500, 500, 500]);
  expect(allowedAmong({ least: 0, share: 0.29, most: 500 }, 100)).toBe(29);
});

test('counts for the cluster, the rule, and where it lies', () => {
  const names = (it: Parameters<typeof scopesOf>[0]) =>
    scopesOf(it).map(({ of, name }) => `${of} ${name}`);
  expect(names(finding('a'))).toEqual(['cluster berlin-1', 'rule orphaned-logical-switch-port']);
  expect(names(finding('a', { scope: { vpc: 'v', subnet: 's' } }))).toEqual([
    'cluster berlin-1',
    'rule orphaned-logical-switch-port',
    'vpc v',
    'subnet s',
  ]);
});

test('exactly as many as are allowed may go', () => {
  expect([overrun(5), overrun(6)?.scope]).toEqual([undefined, { of: 'subnet', name: 'apps' }]);
  const spent = { all: 4, byRule: new Map(), byVpc: new Map(), bySubnet: new Map([['apps', 4]]) };
  expect([overrun(1, { spent }), overrun(2, { spent })]).toEqual([
    undefined,
    {
      scope: { of: 'subnet', name: 'apps' },
      wanted: 2,
      spent: 4,
      allowed: 5,
      population: undefined,
    },
  ]);
});

test.each([
  ['cluster', { all: 20 }],
  ['rule', { byRule: new Map([['orphaned-logical-switch-port', 10]]) }],
  ['vpc', { byVpc: new Map([['tenant-a', 10]]) }],
  ['subnet', { bySubnet: new Map([['apps', 5]]) }],
])('what was spent in the %s counts there', (of, more) => {
  expect(overrun(1, { spent: { ...NOTHING_SPENT, ...more } })?.scope.of).toBe(of);
});

test('what goes before it counts, too', () => {
  const before: Count = new Map();
  addTo(before, ports(6).slice(3));
  expect([overrun(2, {}, before), overrun(3, {}, before)?.spent]).toEqual([undefined, 3]);
});

test('one thing counts once, however many findings would have it removed, and whatever went before', () => {
  const twice = ports(5).flatMap((it) => [it, { ...it, id: `other ${it.id}`, rule: 'leaked-ip' }]);
  expect(overrunOf(twice, new Map(), figures())).toBeUndefined();
  expect(overrunOf([...twice, ...ports(6)], new Map(), figures())).toMatchObject({ wanted: 6 });
  const before: Count = new Map();
  addTo(before, ports(3));
  expect(overrunOf(twice, before, figures())).toBeUndefined();
  expect(overrunOf(ports(6), before, figures())).toMatchObject({ wanted: 3, spent: 3 });
});

test('where most of the world seems dead nothing goes, however large the world', () => {
  const population = (of: 'dead' | 'all') => (it: { of: string }) =>
    ({ cluster: 40_000, rule: 40_000, vpc: 2000, subnet: of === 'dead' ? 100 : 1000 })[it.of];
  expect(overrun(90, { population: population('dead') })).toMatchObject({
    scope: { of: 'subnet' },
    wanted: 90,
    allowed: 10,
    population: 100,
  });
  expect(overrun(90, { population: population('all') })).toBeUndefined();
});

test('the worst is reported, in figures and with what to do', () => {
  const worst = overrun(600, { population: ({ of }) => (of === 'cluster' ? 100_000 : undefined) })!;
  expect(worst.scope.of).toBe('subnet');
  expect(overrunText(worst, 700)).toBe(
    '600 would be removed in subnet apps, 0 count there since an hour, and 5 an hour are allowed (how many there are is not known), so none of these 700 is: see whether so much is really dead; if so, have it done by a plan over the ceilings, or raise executor.ceilings.subnet',
  );
  expect(
    overrunText(
      {
        ...worst,
        scope: { of: 'cluster', name: 'berlin-1' },
        wanted: 3,
        spent: 18,
        allowed: 20,
        population: 900,
      },
      3,
    ),
  ).toBe(
    '3 would be removed in the cluster, 18 count there since an hour, and 20 an hour are allowed (there are 900), so none of these 3 is: it goes on by itself when the hour is over',
  );
});

test('the worst is the one furthest beyond, with what was spent; of several the first by name', () => {
  const worst = (all: number, byRule: number, byVpc: number, bySubnet: number) =>
    overrun(1, {
      spent: {
        all,
        byRule: new Map([['orphaned-logical-switch-port', byRule]]),
        byVpc: new Map([['tenant-a', byVpc]]),
        bySubnet: new Map([['apps', bySubnet]]),
      },
    })?.scope.of;
  const { cluster, rule, vpc, subnet } = ceilings;
  expect(worst(cluster.least + 30, 0, 0, subnet.least)).toBe('cluster');
  expect(worst(0, 0, vpc.least, subnet.least)).toBe('subnet');
  expect(worst(cluster.least, rule.least, 0, 0)).toBe('cluster');
});

test('a finding that nothing mends counts as itself', () => {
  const hopeless = [1, 2, 3, 4, 5, 6].map((n) => ({
    ...finding(`hopeless-${n}`, { scope: { vpc: 'tenant-a', subnet: 'apps' } }),
    remedy: null,
  }));
  expect(overrunOf(hopeless.slice(1), new Map(), figures())).toBeUndefined();
  expect(overrunOf(hopeless, new Map(), figures())).toMatchObject({ wanted: 6 });
});

test.each([
  ['rule', 'by rule x'],
  ['vpc', 'in VPC x'],
] as const)('a %s is named', (of, named) => {
  const said = overrunText(
    { scope: { of, name: 'x' }, wanted: 5, spent: 1, allowed: 5, population: 9 },
    1,
  );
  expect(said).toContain(`5 would be removed ${named}, 1 count`);
  expect(said).toContain('none of it is: it goes on by itself');
});
