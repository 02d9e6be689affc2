import fc from 'fast-check';
import { type ActionRecord, ActionState, ENDED } from '@ovn-steward/contracts/actions/action';
import { NOW } from '../testing/findings';
import { action, decision, undoOf } from '../testing/actions';
import { type Decision, nextRecord } from './decide';

const later = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
const said = (state: ActionState, more: Partial<Decision> = {}): Decision =>
  decision('a', { state, ...more });
/** Says one after the other; what says nothing new is passed over. */
const after = (...decisions: Decision[]): ActionRecord =>
  decisions.reduce<ActionRecord | undefined>(
    (before, it, minute) => nextRecord(before, it, later(minute)) ?? before,
    undefined,
  )!;

test('the first record of an id has revision 1, and the time', () => {
  expect(nextRecord(undefined, said('observed', { code: 'mode' }), NOW)).toEqual({
    ...said('observed', { code: 'mode' }),
    version: 1,
    revision: 1,
    at: NOW.toISOString(),
    claimedAt: null,
    endedAt: null,
  });
});

test('a record names the living systems it is of, and none where that is not known', () => {
  const identity = { northbound: 'cid-1', kubernetes: 'uid-1' };
  expect([
    nextRecord(undefined, said('claimed', { identity }), NOW),
    nextRecord(undefined, said('claimed'), NOW),
  ]).toEqual([
    expect.objectContaining({ identity }),
    expect.not.objectContaining({ identity: expect.anything() as unknown }),
  ]);
});

test('a claim, its end and its undoing keep when each was, and what undoes it', () => {
  const claimed = after(said('proposed'), said('claimed'));
  expect(claimed).toMatchObject({
    revision: 2,
    state: 'claimed',
    claimedAt: later(1).toISOString(),
    endedAt: null,
    undo: undoOf('a'),
  });
  const done = nextRecord(
    claimed,
    { ...claimed, state: 'done', code: 'done', undo: null },
    later(2),
  )!;
  expect(done).toMatchObject({
    revision: 3,
    claimedAt: later(1).toISOString(),
    endedAt: later(2).toISOString(),
    at: later(2).toISOString(),
    undo: undoOf('a'),
  });
  expect(nextRecord(done, { ...done, state: 'undone', code: 'asked' }, later(3))).toMatchObject({
    revision: 4,
    state: 'undone',
    claimedAt: later(1).toISOString(),
    endedAt: later(2).toISOString(),
    at: later(3).toISOString(),
  });
});

test('what says nothing new is not said', () => {
  const deferred = after(said('deferred', { code: 'window', reason: 'not now' }));
  expect(
    nextRecord(
      deferred,
      said('deferred', {
        code: 'window',
        reason: 'not now',
        mode: 'propose',
        executor: 'executor-b',
      }),
      NOW,
    ),
  ).toBeUndefined();
  expect(
    nextRecord(deferred, said('deferred', { code: 'window', reason: 'not today' }), NOW)?.revision,
  ).toBe(2);
  expect(
    nextRecord(deferred, said('deferred', { code: 'ceiling', reason: 'not now' }), NOW)?.revision,
  ).toBe(2);
});

test('a plan that waits for what its entry waited for before is news, once', () => {
  const held = said('deferred', { code: 'held', reason: 'anna holds it', plan: null });
  const underPlan: Decision = { ...held, plan: 'plan-1', approvedBy: 'berta' };
  const before = after(held);
  const handedOver = nextRecord(before, underPlan, later(1));
  expect(handedOver).toMatchObject({ revision: 2, plan: 'plan-1', approvedBy: 'berta' });
  expect(nextRecord(handedOver, underPlan, later(2))).toBeUndefined();
  // Nothing waits for a record that the plan is over.
  expect(nextRecord(handedOver, held, later(3))).toBeUndefined();
});

test('a claim is gone on with by another executor, or with another undo record, under the time it was made', () => {
  const claimed = after(said('claimed'));
  expect(nextRecord(claimed, said('claimed'), later(5))).toBeUndefined();
  expect(nextRecord(claimed, said('claimed', { executor: 'executor-b' }), later(5))).toMatchObject({
    revision: 2,
    executor: 'executor-b',
    claimedAt: claimed.claimedAt,
  });
  expect(
    nextRecord(claimed, said('claimed', { undo: undoOf('a', { addresses: 'other' }) }), later(5)),
  ).toMatchObject({ revision: 2, undo: undoOf('a', { addresses: 'other' }) });
});

test('of what was done more may be recorded', () => {
  const done = after(said('claimed'), said('done', { undo: null }));
  expect(nextRecord(done, said('done', { undo: null }), later(9))).toBeUndefined();
  expect(nextRecord(done, said('done', { code: 'raced', undo: null }), later(9))).toMatchObject({
    revision: 3,
    code: 'raced',
    endedAt: done.endedAt,
    undo: undoOf('a'),
  });
});

test('a claim is given up for later only when nothing came of it, and has then neither a time nor something to undo', () => {
  const claimed = after(said('claimed'));
  expect(nextRecord(claimed, said('deferred'), NOW)).toBeUndefined();
  expect(nextRecord(claimed, said('deferred'), NOW, { unsent: true })).toMatchObject({
    state: 'deferred',
    claimedAt: null,
    undo: null,
  });
  expect(nextRecord(claimed, said('observed'), NOW, { unsent: true })).toBeUndefined();
});

test('of what was given up only what was claimed is found gone after all, and put back; nothing else follows', () => {
  const claim = nextRecord(undefined, decision('p'), NOW)!;
  const givenUp = nextRecord(claim, decision('p', { state: 'failed', code: 'given-up' }), NOW)!;
  expect(givenUp).toMatchObject({ state: 'failed', undo: claim.undo });
  const undoing = nextRecord(givenUp, decision('p', { state: 'done', code: 'undoing' }), NOW)!;
  expect(undoing).toMatchObject({ state: 'done', undo: claim.undo });
  expect(nextRecord(undoing, decision('p', { state: 'undone' }), NOW)).toMatchObject({
    state: 'undone',
  });
  expect(nextRecord(givenUp, decision('p'), NOW)).toBeUndefined();
  expect(nextRecord(givenUp, decision('p', { state: 'deferred' }), NOW)).toBeUndefined();
  const failed = nextRecord(claim, decision('p', { state: 'failed', code: 'no-answer' }), NOW)!;
  expect(() => nextRecord(failed, decision('p', { state: 'done' }), NOW)).toThrow();
});

test('that it cannot be settled is news of a claim, and over with the next record', () => {
  const claim = nextRecord(undefined, decision('p'), NOW)!;
  const unsettled = { since: 'a', failures: 1, why: 'no', nextTryAt: 'b' };
  const stuck = nextRecord(claim, { ...claim, unsettled }, NOW)!;
  expect(stuck).toMatchObject({ revision: 2, state: 'claimed', unsettled, undo: claim.undo });
  expect(nextRecord(stuck, { ...claim, unsettled }, NOW)).toBeUndefined();
  expect(nextRecord(stuck, decision('p', { state: 'done' }), NOW)).not.toHaveProperty('unsettled');
});

test('no undo record, no claim; no claim, no effect', () => {
  expect(() => nextRecord(undefined, said('claimed', { undo: null }), NOW)).toThrow(
    'without what undoes it',
  );
  expect(() => nextRecord(undefined, said('done'), NOW)).toThrow('not recorded, not claimed');
  expect(() => nextRecord(after(said('proposed')), said('done'), NOW)).toThrow(
    'was proposed, not claimed',
  );
  expect(() => nextRecord(after(said('claimed')), said('undone'), NOW)).toThrow(
    'was claimed, not done',
  );
  expect(() => nextRecord(after(said('refused')), said('done'), NOW)).toThrow(
    'was refused, not claimed',
  );
});

test('a state of a later version is followed by nothing', () => {
  for (const state of ['quarantined', 'constructor', '__proto__'])
    expect(
      nextRecord(action('a', { state: state as ActionState }), said('claimed'), NOW),
    ).toBeUndefined();
});

test('a reason is a sentence, however long the error was', () => {
  const long = nextRecord(undefined, said('refused', { reason: 'x'.repeat(100_000) }), NOW)!;
  expect(long.reason).toHaveLength(1000);
  expect(
    nextRecord(
      after(said('deferred', { reason: 'x'.repeat(2000) })),
      said('deferred', { reason: 'x'.repeat(2000) }),
      NOW,
    ),
  ).toBeUndefined();
});

test('whatever is decided in whatever order: ended stays ended, nothing is done that was not claimed, revisions have no gaps, and what undoes a deed is never lost', () => {
  const decided = fc.record({
    state: fc.constantFrom(...ActionState.options),
    code: fc.constantFrom('x', 'y', 'not-finished'),
    executor: fc.constantFrom('a', 'b'),
    undo: fc.constantFrom(null, undoOf('a')),
    unsent: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(decided, { maxLength: 30, size: 'max' }), (decisions) => {
      const records: ActionRecord[] = [];
      for (const [minute, { unsent, ...outcome }] of decisions.entries()) {
        try {
          const record = nextRecord(records.at(-1), said(outcome.state, outcome), later(minute), {
            unsent,
          });
          if (record) records.push(record);
        } catch (error) {
          expect(String(error)).toMatch(/is (claimed without|recorded as)/);
        }
      }
      let before: ActionRecord | undefined;
      for (const record of records) {
        expect(record.revision).toBe((before?.revision ?? 0) + 1);
        if (before && ENDED.has(before.state))
          expect([
            'done → done',
            'done → undone',
            ...(before.code === 'not-finished' ? ['failed → done', 'failed → failed'] : []),
          ]).toContain(`${before.state} → ${record.state}`);
        if (record.state === 'done')
          expect(
            before?.code === 'not-finished' ||
              ['claimed', 'terminating', 'done'].includes(before?.state ?? ''),
          ).toBe(true);
        if (before?.state === 'claimed')
          expect(['claimed', 'terminating', 'done', 'refused', 'failed', 'deferred']).toContain(
            record.state,
          );
        if (['claimed', 'terminating', 'done', 'undone'].includes(record.state))
          expect([record.undo, record.claimedAt]).toEqual([undoOf('a'), expect.any(String)]);
        expect(record.endedAt === null).toBe(!ENDED.has(record.state));
        before = record;
      }
    }),
    { numRuns: 1000 },
  );
});
