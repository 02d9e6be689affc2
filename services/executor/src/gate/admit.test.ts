import { Freeze } from '@ovn-steward/shared/settings/freeze';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { TimeWindow } from '@ovn-steward/shared/settings/time-window';
import type { Hold } from '../control/control-state';
import type { Proposal } from '../findings/proposal';
import { finding } from '../testing/findings';
import { admit } from './admit';
import type { Admission, Applicant, GateContext } from './admission';

const NOW = Date.parse('2026-11-21T12:00:00Z'); // a Saturday
const { ceilings } = Settings.parse({}).executor;
const ANNA = { by: 'anna', plan: null, overCeilings: false };
const ACTION = { onlyApproved: false, rank: 50, finishedBy: null };

const applicant = (
  name: string,
  more: Partial<Applicant> = {},
  scope: Proposal['scope'] = { vpc: 'tenant-a', subnet: 'apps' },
): Applicant => ({
  finding: finding(name, { scope }) as Proposal,
  action: ACTION,
  mode: 'enforce',
  approval: undefined,
  ...more,
});
const some = (count: number, more: Partial<Applicant> = {}, name = 'p'): Applicant[] =>
  Array.from({ length: count }, (_, n) => applicant(`${name}${n}`, more));
const context = (more: Partial<GateContext> = {}): GateContext => ({
  now: NOW,
  settings: { ceilings, windows: [], freezes: [] },
  holds: [],
  kept: [],
  yielding: undefined,
  population: () => undefined,
  spent: { all: 0, byRule: new Map(), byVpc: new Map(), bySubnet: new Map() },
  ...more,
});
const HOLD: Hold = {
  scope: {},
  reason: 'migration',
  by: 'anna',
  at: '2026-11-21T11:00:00Z',
  until: '2026-11-21T13:00:00Z',
};
const FROZEN = {
  ceilings,
  windows: [],
  freezes: [Freeze.parse('2026-11-20T00:00Z/2026-11-23T00:00Z')],
};
const SHUT = {
  ceilings,
  windows: [TimeWindow.parse('Mon-Fri 22:00-06:00 Europe/Berlin')],
  freezes: [],
};
const YIELDING = { until: NOW + 60_000, why: 'another kube-ovn-controller began to lead' };

const names = (them: readonly Applicant[]): string[] => them.map((it) => it.finding.subject.name);
const decided = ({ admitted, rejected }: Admission<Applicant>): string[] => [
  ...admitted.map((it) => `${it.finding.subject.name} goes`),
  ...rejected.map(
    ({ applicant: it, decision }) =>
      `${it.finding.subject.name} ${decision.state} ${decision.code}`,
  ),
];
const of = (it: Applicant, more: Partial<GateContext> = {}) =>
  admit([it], context(more)).rejected[0]?.decision;

test('who is enforced or approved goes; the others wait for a person, and learn what for', () => {
  const all = [
    applicant('enforced'),
    applicant('approved', { mode: 'propose', approval: ANNA }),
    applicant('proposed', { mode: 'propose' }),
    applicant('observed', { mode: 'observe' }),
    applicant('stuck', { action: { ...ACTION, onlyApproved: true, rank: 60 } }),
    applicant('freed', { action: { ...ACTION, onlyApproved: true, rank: 70 }, approval: ANNA }),
    applicant('strange', { action: undefined }),
    applicant('strange-2', { action: undefined, mode: 'propose' }),
  ];
  expect(decided(admit(all, context())).sort()).toEqual([
    'approved goes',
    'enforced goes',
    'freed goes',
    'observed observed mode',
    'proposed proposed approval',
    'strange deferred unsupported',
    'strange-2 deferred unsupported',
    'stuck proposed approval',
  ]);
  expect(of(all[2]!)?.reason).toBe(
    'rule orphaned-logical-switch-port only proposes: steward approve allows it',
  );
});

test('a finding approved by itself does not make a rule that is only observed act; a plan does', () => {
  expect(
    of(applicant('p', { mode: 'observe', approval: { ...ANNA, plan: 'p1' } })),
  ).toBeUndefined();
  expect(
    of(applicant('a', { mode: 'observe', approval: { ...ANNA, overCeilings: true } })),
  ).toMatchObject({
    state: 'observed',
    reason: expect.stringMatching(
      /^anna approved it, but .*executor\.rules\.orphaned-logical-switch-port/,
    ),
  });
});

test.each([
  [
    'held',
    { holds: [HOLD], settings: FROZEN, yielding: YIELDING },
    NOW + 3_600_000,
    'anna holds the whole cluster (migration) until 2026-11-21T13:00:00Z',
  ],
  [
    'freeze',
    { settings: { ...SHUT, ...FROZEN }, yielding: YIELDING },
    Date.UTC(2026, 10, 23),
    'executor.freezes says that nothing is removed until 2026-11-23T00:00Z',
  ],
  [
    'window',
    { settings: SHUT, yielding: YIELDING },
    Date.UTC(2026, 10, 23, 21),
    'it is outside executor.windows; the next opens at 2026-11-23T21:00Z',
  ],
  ['yield', { yielding: YIELDING }, NOW + 60_000, 'another kube-ovn-controller began to lead'],
])('%s comes before what is behind it, and says until when', (code, more, until, reason) => {
  expect(of(applicant('a'), more)).toEqual({ state: 'deferred', code, until, reason });
});

test('nobody is asked to wait for what will not help; only a hold is reported to everybody', () => {
  const all = [
    applicant('observed', { mode: 'observe' }),
    applicant('proposed', { mode: 'propose' }),
  ];
  expect(decided(admit(all, context({ settings: FROZEN, yielding: YIELDING }))).sort()).toEqual([
    'observed observed mode',
    'proposed proposed approval',
  ]);
  expect(decided(admit(all, context({ holds: [HOLD] }))).sort()).toEqual([
    'observed deferred held',
    'proposed deferred held',
  ]);
});

test('leaves before roots, then the oldest, then by id', () => {
  const old = (name: string, confirmedAt: string): Applicant => ({
    ...applicant(name),
    finding: { ...applicant(name).finding, confirmedAt },
  });
  const all = [
    applicant('root', { action: { ...ACTION, rank: 90 } }),
    old('b', '2026-11-21T10:00:00Z'),
    old('a', '2026-11-21T10:00:00.000Z'),
    old('oldest', '2026-11-20T23:00:00+10:00'),
    applicant('leaf', { action: { ...ACTION, rank: 10 } }),
  ];
  const a = all[2]!.finding.id < all[1]!.finding.id ? 'a' : 'b';
  const b = all[2]!.finding.id < all[1]!.finding.id ? 'b' : 'a';
  expect(names(admit(all, context()).admitted)).toEqual(['leaf', 'oldest', a, b, 'root']);
});

test('a plan that goes beyond a ceiling anywhere goes nowhere, is reported once, and says so to each', () => {
  const elsewhere = applicant('elsewhere', {}, { vpc: 'tenant-b', subnet: 'db' });
  const { admitted, rejected, aborted } = admit([...some(6), elsewhere], context());
  expect([admitted, rejected.length]).toEqual([[], 7]);
  expect(aborted).toEqual([
    {
      plan: { of: 'enforced', id: '' },
      size: 7,
      scope: { of: 'subnet', name: 'apps' },
      wanted: 6,
      spent: 0,
      allowed: 5,
      population: undefined,
    },
  ]);
  for (const { decision } of rejected)
    expect(decision).toMatchObject({
      state: 'deferred',
      code: 'ceiling',
      reason: expect.stringContaining('6 would be removed in subnet apps'),
    });
});

test('what people approved is counted by plan, each finding approved by itself being one, before what is enforced', () => {
  const plan = (id: string) => ({ approval: { ...ANNA, plan: id } });
  const { admitted, aborted } = admit(
    [
      ...some(2, { approval: ANNA }, 'single'),
      ...some(2, plan('small'), 'small'),
      ...some(6, plan('large'), 'large'),
      ...some(2, {}, 'enforced'),
    ],
    context(),
  );
  expect(names(admitted).sort()).toEqual(['single0', 'single1', 'small0', 'small1']);
  expect(
    aborted.map(({ plan: it, size, wanted, spent }) => [it.of, it.id, size, wanted, spent]),
  ).toEqual([
    ['plan', 'large', 6, 6, 0],
    ['enforced', '', 2, 2, 4],
  ]);
});

test('single approvals go until the ceiling is reached', () => {
  const { admitted, aborted } = admit(some(8, { approval: ANNA }), context());
  expect([admitted.length, aborted.length, aborted[0]]).toEqual([
    5,
    3,
    expect.objectContaining({
      wanted: 1,
      spent: 5,
      plan: { of: 'approval', id: expect.any(String) },
    }),
  ]);
});

test('what is approved over the ceilings goes, and counts for all others', () => {
  const { admitted, aborted } = admit(
    [
      ...some(300, { approval: { ...ANNA, plan: 'big', overCeilings: true } }, 'big'),
      ...some(1, {}, 'enforced'),
    ],
    context(),
  );
  expect([admitted.length, aborted]).toEqual([
    300,
    [expect.objectContaining({ plan: { of: 'enforced', id: '' }, wanted: 1, spent: 300 })],
  ]);
});

test('a hold makes no room for others', () => {
  const other = applicant('other', {}, { vpc: 'tenant-b', subnet: 'db' });
  expect(
    decided(
      admit([...some(6), other], context({ holds: [{ ...HOLD, scope: { subnet: 'apps' } }] })),
    ).filter((it) => it.startsWith('other')),
  ).toEqual(['other deferred ceiling']);
});

test('what is only observed or proposed makes no plan large', () => {
  const { admitted } = admit(
    [
      ...some(100, { mode: 'observe' }, 'o'),
      ...some(100, { mode: 'propose' }, 'p'),
      ...some(5, {}, 'e'),
    ],
    context(),
  );
  expect(admitted).toHaveLength(5);
});

const signedBy = (signers: readonly string[], others: readonly string[] = []) => ({
  by: 'anna',
  approvers: [...new Set([...signers, ...others])],
  signers,
  plan: null,
  overCeilings: false,
});

test.each<[string, Partial<Applicant>, boolean]>([
  ['nobody', { mode: 'enforce', approval: undefined }, false],
  ['one', { mode: 'enforce', approval: { by: 'anna', plan: null, overCeilings: false } }, false],
  ['two', { mode: 'enforce', approval: signedBy(['anna', 'bob']) }, true],
  ['two whom nobody knows by a key', { approval: signedBy([], ['anna', 'bob']) }, false],
  ['one, and names nobody signed', { approval: signedBy(['anna'], ['anna', 'bob']) }, false],
  ['two, and names nobody signed', { approval: signedBy(['anna', 'bob'], ['eve']) }, true],
  ['one, by a plan', { approval: { by: 'anna', plan: 'p', overCeilings: false } }, false],
  ['two, one of them by a plan', { approval: { ...signedBy(['anna', 'bob']), plan: 'p' } }, true],
])('a rule that wants two people, approved by %s', (_, how, goes) => {
  const settings = {
    ...context().settings,
    approvers: { 'orphaned-logical-switch-port': 2 },
  };
  const { admitted, rejected } = admit([{ ...applicant('a'), ...how }], context({ settings }));
  expect(admitted).toHaveLength(goes ? 1 : 0);
  if (!goes)
    expect(rejected[0]?.decision).toMatchObject({
      state: 'proposed',
      code: 'approval',
      reason: expect.stringContaining('wants 2 people'),
    });
});

test('what nobody signed is said to count as one person, with what to do about it', () => {
  const settings = {
    ...context().settings,
    approvers: { 'orphaned-logical-switch-port': 2 },
  };
  const approval = signedBy(['anna'], ['bob']);
  const { rejected } = admit([{ ...applicant('a'), approval }], context({ settings }));
  expect(rejected[0]?.decision.reason).toMatch(
    /anna, bob did, of whom only anna signed it: .* count together as one person\. Give each approver a key/,
  );
});

test('while no controller is at work, only what a controller would have to finish waits', () => {
  const noController = 'nobody renews Lease kube-system/kube-ovn-controller';
  const finished = applicant('finished', { action: { ...ACTION, finishedBy: 'kube-ovn' } });
  expect(decided(admit([finished, applicant('row')], context({ noController })))).toEqual([
    'row goes',
    'finished deferred no-controller',
  ]);
  expect(of(finished, { noController })?.reason).toContain(noController);
  expect(decided(admit([finished], context()))).toEqual(['finished goes']);
});

test.each([
  ['a freeze', { settings: FROZEN }, 'freeze'],
  ['a window that is shut', { settings: SHUT }, 'window'],
  ['somebody who may be deleting', { yielding: YIELDING }, 'yield'],
])('%s is enough by itself', (_, alone, code) => {
  expect(of(applicant('p'), alone)).toMatchObject({ state: 'deferred', code });
});
