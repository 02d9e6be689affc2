import { ascendingBy } from '@ovn-steward/shared/compare';
import fc from 'fast-check';
import { type Control, controlKey } from '@ovn-steward/contracts/control/control';
import { decision, controlEntry } from '../testing/controls';
import { CLUSTER, NOW, recordOf } from '../testing/findings';
import { somePlan } from '../testing/plans';
import { approvalsFor, type ControlState, holdsAt, NOTHING_DECIDED } from './control-state';
import type { ControlEntry } from '@ovn-steward/contracts/control/read-control';
import { readControlAndPlan } from './read-control-and-plan';
import { foldControls } from './fold-controls';

const PLAN = somePlan();
const reported = (control: Control): ControlEntry => ({
  key: controlKey(control),
  read: readControlAndPlan(recordOf(controlEntry(control))),
});
const after = (...controls: readonly (Control | ControlEntry)[]): ControlState =>
  foldControls(
    NOTHING_DECIDED,
    CLUSTER,
    controls.map((it) => ('key' in it ? it : reported(it))),
  );
const hold = (more: object = {}): Control =>
  decision({ type: 'hold', scope: {}, reason: 'maintenance', until: null, ...more });
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

test('a hold holds until its scope is resumed, and no other', () => {
  const held = after(
    hold(),
    hold({ scope: { subnet: 'a' } }),
    decision({ type: 'resume', scope: {} }),
  );
  expect(holdsAt(held, NOW)).toEqual([
    {
      scope: { subnet: 'a' },
      reason: 'maintenance',
      by: 'anna',
      at: NOW.toISOString(),
      until: null,
    },
  ]);
  expect(
    holdsAt(after(hold(), decision({ type: 'resume', scope: { subnet: 'a' } })), NOW),
  ).toHaveLength(1);
});

test('a hold with an end ends by itself; one whose end cannot be read has none', () => {
  const until = at(60).toISOString();
  expect([at(59), at(60), at(61)].map((it) => holdsAt(after(hold({ until })), it).length)).toEqual([
    1, 0, 0,
  ]);
  expect(holdsAt(after(hold({ until: 'tomorrow' })), at(1e9))).toHaveLength(1);
});

test('the last hold of a scope counts', () => {
  expect(
    holdsAt(after(hold({ reason: 'first' }), hold({ reason: 'second' })), NOW).map(
      (it) => it.reason,
    ),
  ).toEqual(['second']);
});

const heard = (by: string, ids: readonly string[], more: object = {}): Control =>
  decision({
    type: 'heard',
    by,
    since: at(-60).toISOString(),
    decisions: ids.map((id) => ({ about: 'hold/["*","*","*"]', id, type: 'hold' as const })),
    ...more,
  });

test('what counts last of each scope is known by its id, and who said that he respects which', () => {
  const held = hold({ id: 'h', scope: { subnet: 'a' } });
  const resumed = decision({ type: 'resume', id: 'r', scope: {} });
  const state = after(hold({ id: 'o' }), held, resumed, heard('e1', ['h', 'r']), heard('e2', []));
  expect([...state.effective.values()]).toEqual([
    { about: 'hold/["*","*","a"]', id: 'h', type: 'hold' },
    { about: 'hold/["*","*","*"]', id: 'r', type: 'resume' },
  ]);
  expect([...state.heard]).toEqual([
    ['e1', { since: at(-60).toISOString(), at: NOW.toISOString(), ids: new Set(['h', 'r']) }],
    ['e2', { since: at(-60).toISOString(), at: NOW.toISOString(), ids: new Set() }],
  ]);
  const gone = { key: controlKey(heard('e1', [])), read: { forgotten: true } } as const;
  const unread = { key: controlKey(held), read: { poison: 'not JSON' } } as const;
  const later = foldControls(state, CLUSTER, [gone, unread]);
  expect([[...later.heard.keys()], [...later.effective.values()].map(({ id }) => id)]).toEqual([
    ['e2'],
    ['r'],
  ]);
});

test('an approval is of one revision', () => {
  const state = after(decision({ type: 'approve', finding: 'f', revision: 3 }));
  const firstSeen = at(-3600).toISOString();
  expect(approvalsFor(state, { id: 'f', revision: 3, firstSeen })).toEqual([
    {
      finding: 'f',
      revision: 3,
      by: 'anna',
      at: NOW.toISOString(),
    },
  ]);
  expect([
    approvalsFor(state, { id: 'f', revision: 2, firstSeen }),
    approvalsFor(state, { id: 'f', revision: 4, firstSeen }),
    approvalsFor(state, { id: 'g', revision: 3, firstSeen }),
  ]).toEqual([[], [], []]);
});

test('people who approve the same are distinguished, and each counts once', () => {
  const approve = (by: string, more: object = {}): Control =>
    decision({ type: 'approve', finding: 'f', revision: 3, approver: by, by, ...more });
  const firstSeen = at(-3600).toISOString();
  const names = (...controls: Control[]): string[] =>
    approvalsFor(after(...controls), { id: 'f', revision: 3, firstSeen })
      .map((it) => it.by)
      .sort();
  expect(names(approve('anna'), approve('bob'), approve('anna'))).toEqual(['anna', 'bob']);
  expect(names(approve('anna'), approve('bob', { revision: 2 }))).toEqual(['anna']);
  expect(
    names(
      approve('anna'),
      approve('bob'),
      decision({ type: 'withdraw', of: 'approve/f/anna', by: 'anna' }),
    ),
  ).toEqual(['bob']);
  // Who says to be another would count twice.
  expect(names(approve('anna'), approve('bob', { by: 'anna' }))).toEqual(['anna']);
});

test.each<[string, string, boolean]>([
  ['before it was approved', at(-1).toISOString(), true],
  ['later, by a clock that is ahead', at(299).toISOString(), true],
  ['after that, since it died again', at(301).toISOString(), false],
  ['nobody knows when', 'yesterday', false],
])('an approval of what was first seen %s', (_, firstSeen, counts) => {
  const state = after(decision({ type: 'approve', finding: 'f', revision: 3 }));
  expect(approvalsFor(state, { id: 'f', revision: 3, firstSeen }).length > 0).toBe(counts);
});

test('plans and undos stand until they are withdrawn', () => {
  const state = after(
    decision({ type: 'plan', plan: PLAN, overCeilings: true }),
    decision({ type: 'undo', of: 'x', id: 'u' }),
  );
  expect(state.plans.get(PLAN.id)).toEqual({
    plan: PLAN,
    by: 'anna',
    at: NOW.toISOString(),
    overCeilings: true,
  });
  expect(state.undos.get('x')).toEqual({ id: 'u', by: 'anna', at: NOW.toISOString() });
  const withdrawn = foldControls(
    state,
    CLUSTER,
    [
      decision({ type: 'withdraw', of: `plan/${PLAN.id}` }),
      decision({ type: 'withdraw', of: 'undo/x' }),
    ].map(reported),
  );
  expect([withdrawn.plans.size, withdrawn.undos.size]).toEqual([0, 0]);
});

test('an approval that is withdrawn is none, whichever revision it was of', () => {
  expect(
    after(
      decision({ type: 'approve', finding: 'f', revision: 3 }),
      decision({ type: 'withdraw', of: 'approve/f' }),
    ).approvals.size,
  ).toBe(0);
});

test('other clusters of the partition decide nothing here', () => {
  expect(after(hold({ cluster: 'paris-1' }))).toBe(NOTHING_DECIDED);
  const both = after(hold({ cluster: 'paris-1', scope: { rule: 'leaked-ip' } }), hold());
  expect([...both.holds.values()]).toEqual([...after(hold()).holds.values()]);
});

test.each([
  [
    'leaves a hold it might be',
    'hold/["leaked-ip","*","shop"]',
    { rule: 'leaked-ip', subnet: 'shop' },
  ],
  ['holds everything where the scope cannot be read either', 'hold/["leaked-ip"', {}],
  ['holds everything where the scope is of no form', 'hold/["a"]', {}],
  ['holds everything where the scope has an entry too many', 'hold/["a","b","c","d"]', {}],
  ['holds everything where the scope holds something else than names', 'hold/["a",1,"c"]', {}],
])('what cannot be read %s', (_, id, scope) => {
  const [held] = holdsAt(after({ key: `${CLUSTER}/${id}`, read: { poison: 'not JSON' } }), NOW);
  expect(held?.scope).toEqual(scope);
  expect(held?.until).toBeNull();
  expect(
    holdsAt(after({ key: `${CLUSTER}/${id}`, read: { newer: 'hold-more' } }), NOW),
  ).toHaveLength(1);
});

test('what cannot be read under another key ends what stood there', () => {
  const approve = decision({ type: 'approve', finding: 'f', revision: 3 });
  expect(
    after(approve, { key: controlKey(approve), read: { poison: 'not JSON' } }).approvals.size,
  ).toBe(0);
});

test('a tombstone is a resume', () => {
  expect(after(hold(), { key: controlKey(hold()), read: { forgotten: true } })).toEqual(
    NOTHING_DECIDED,
  );
});

/** Few keys, so that decisions meet. */
const some = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const scopes = some({}, { rule: 'leaked-ip' }, { subnet: '__proto__' });
const anyRecord: fc.Arbitrary<ControlEntry> = fc.oneof(
  fc
    .oneof(
      fc.record({
        type: some('hold' as const),
        scope: scopes,
        reason: fc.string(),
        until: some(null, at(5).toISOString()),
      }),
      fc.record({ type: some('resume' as const), scope: scopes }),
      fc.record({
        type: some('approve' as const),
        finding: some('f', '__proto__'),
        revision: some(1, 2),
      }),
      fc.record({ type: some('plan' as const), plan: some(PLAN), overCeilings: fc.boolean() }),
      fc.record({ type: some('undo' as const), of: some('x', 'y') }),
      fc.record({
        type: some('withdraw' as const),
        of: some('approve/f', 'undo/x', `plan/${PLAN.id}`),
      }),
      fc.record({
        type: some('heard' as const),
        by: some('e1', '__proto__'),
        since: some('', 'x'),
        decisions: some([], [{ about: 'hold/x', id: 'h', type: 'hold' as const }]),
      }),
    )
    .map((it) => reported(decision(it))),
  some('hold/["*","*","*"]', 'approve/f', 'undo/x', 'heard/e1', 'other/x').map(
    (key): ControlEntry => ({
      key: `${CLUSTER}/${key}`,
      read: { poison: 'x' },
    }),
  ),
);
const sorted = (state: ControlState): unknown =>
  Object.values(state).map((it: ReadonlyMap<string, unknown>) =>
    [...it].sort(ascendingBy(([key]) => key)),
  );

test('compaction, which keeps the last record of a key, changes nothing; nor does the last record published again', () => {
  fc.assert(
    fc.property(fc.array(anyRecord, { maxLength: 30 }), (records) => {
      const whole = foldControls(NOTHING_DECIDED, CLUSTER, records);
      const last = new Map(records.map((it) => [it.key, it]));
      expect(sorted(foldControls(NOTHING_DECIDED, CLUSTER, [...last.values()]))).toEqual(
        sorted(whole),
      );
      expect(sorted(foldControls(whole, CLUSTER, records.slice(-1)))).toEqual(sorted(whole));
      expect(
        sorted(records.reduce((state, it) => foldControls(state, CLUSTER, [it]), NOTHING_DECIDED)),
      ).toEqual(sorted(whole));
    }),
  );
});
