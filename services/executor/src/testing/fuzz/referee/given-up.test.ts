import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { CLUSTER } from '../../findings';
import { decision } from '../../controls';
import { type GivenUpJudge, isLeftUnknown, judgeGivenUp } from './given-up';

const HERE = { northbound: 'nb:1', kubernetes: 'k8s' };
const ELSEWHERE = { northbound: 'nb:1', kubernetes: 'another' };
const CLAIMED_AT = '2026-05-04T12:00:00.000Z';
let judge: GivenUpJudge;
beforeEach(() => (judge = judgeGivenUp(CLUSTER, () => HERE)));

const record = (more: object = {}): ActionRecord =>
  ({
    id: 'a',
    identity: HERE,
    state: 'claimed',
    code: 'claimed',
    claimedAt: CLAIMED_AT,
    ...more,
  }) as ActionRecord;
const ended = (more: object = {}): ActionRecord =>
  record({ state: 'failed', code: 'given-up', reason: 'anna gave it up (gone): unknown', ...more });
const decide = (more: object = {}): void =>
  judge.read(
    decision({ type: 'give-up', of: 'a', claimedAt: CLAIMED_AT, reason: 'gone', ...more }),
  );

test.each<[string, object]>([
  ['claimed', {}],
  ['waiting for its finalizers', { state: 'terminating', code: 'terminating' }],
  ['waiting for too long', { state: 'failed', code: 'not-finished' }],
  ['being put back for its owner', { state: 'done', code: 'racing' }],
])('a claim that is %s ends by the word of who gave it up', (_, more) => {
  decide({ identity: HERE });
  expect(judge.recorded(ended(), record(more))).toBeUndefined();
});

test.each<[string, object | undefined]>([
  ['nobody', undefined],
  ['one about another action', { of: 'b' }],
  ['one about another claim', { claimedAt: '2026-05-04T11:00:00.000Z' }],
  ['one about another cluster', { cluster: 'another' }],
  ['one about other systems', { identity: ELSEWHERE }],
  ['one that gives no reason', { reason: undefined }],
])('the word of %s ends no claim', (_, more) => {
  if (more !== undefined) decide(more);
  expect(judge.recorded(ended(), record())).toMatch(/nobody who may had given this claim up/);
});

test('a record says who gave it up, and why', () => {
  decide();
  expect(judge.recorded(ended({ reason: 'it was given up' }), record())).toMatch(/does not say/);
});

test.each<[string, object]>([
  ['done', { state: 'done', code: 'done' }],
  ['put off', { state: 'deferred', code: 'unsent' }],
  ['put back', { state: 'undone', code: 'undone' }],
])('what is %s is no claim that could be given up', (_, more) => {
  decide();
  expect(judge.recorded(ended(), record(more))).toMatch(/it was given up, and was/);
});

test('a claim of other systems is not given up here', () => {
  decide();
  expect(judge.recorded(ended({ identity: ELSEWHERE }), record())).toMatch(/of other systems/);
  expect(judge.recorded(ended({ identity: undefined }), record())).toMatch(/of other systems/);
});

test('what was given up is never reported as done, unless a person wants it back', () => {
  expect(judge.recorded(record({ state: 'done', code: 'settled' }), ended())).toMatch(
    /reported as done/,
  );
  expect(judge.recorded(record({ state: 'deferred', code: 'unsent' }), ended())).toMatch(
    /reported as/,
  );
  expect(judge.recorded(record({ state: 'done', code: 'undoing' }), ended())).toBeUndefined();
  expect(judge.recorded(record({ state: 'failed', code: 'undo-held' }), ended())).toBeUndefined();
  // And of what was not given up anything may be reported.
  expect(judge.recorded(record({ state: 'done', code: 'settled' }), record())).toBeUndefined();
});

test('nothing is sent under what was given up', () => {
  expect(judge.sent(ended())).toMatch(/given up before/);
  expect(judge.sent(record({ state: 'failed', code: 'undo-impossible' }))).toBeDefined();
  expect(judge.sent(record())).toBeUndefined();
  expect(judge.sent(record({ state: 'done', code: 'undoing' }))).toBeUndefined();
});

test('of what was given up nobody knows how it ended', () => {
  expect(isLeftUnknown(ended())).toBe(true);
  expect(isLeftUnknown(ended({ state: 'done' }))).toBe(true);
  expect(isLeftUnknown(record({ state: 'failed', code: 'undo-impossible' }))).toBe(true);
  expect(isLeftUnknown(record({ state: 'done', code: 'undo-impossible' }))).toBe(false);
  expect(isLeftUnknown(record({ state: 'failed', code: 'no-answer' }))).toBe(false);
});
