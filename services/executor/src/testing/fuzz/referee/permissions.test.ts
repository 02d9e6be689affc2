import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import { EXECUTOR_ACTIONS } from '../../../actions/registry';
import { decision } from '../../controls';
import { judgePermissions, type PermissionsJudge } from './permissions';

const HERE = { northbound: 'nb:1', kubernetes: 'k8s' };
const NOON = Date.parse('2026-05-04T12:00:00Z');
const PROCESS = {};
let judge: PermissionsJudge;
beforeEach(() => (judge = judgePermissions(() => HERE)));

const action = (more: object = {}): ActionRecord =>
  ({
    id: 'a',
    rule: 'r',
    action: 'delete-ip',
    plan: null,
    finding: { id: 'f', revision: 2 },
    ...more,
  }) as ActionRecord;
const missing = (
  of: ActionRecord,
  settings: object = {},
  turn: object = {},
  by: object = PROCESS,
): string | undefined =>
  judge.missing(
    of,
    { mode: 'enforce', rules: {}, approvers: {}, ...settings },
    { wall: NOON, steady: 0, decisions: judge.decisions(), ...turn },
    by,
  );
const approve = (revision = 2, by = 'anna'): void =>
  judge.read(decision({ type: 'approve', finding: 'f', revision, by, approver: by }));
const withdraw = (of: string): void => judge.read(decision({ type: 'withdraw', of }));
const plan = (more: object = {}, overCeilings = false): Control => {
  const reported = decision({
    type: 'plan',
    overCeilings,
    plan: {
      id: 'p',
      identity: HERE,
      expiresAt: '2026-05-04T13:00:00Z',
      entries: [{ id: 'a' }],
      ...more,
    },
  });
  judge.read(reported);
  return reported;
};

test('what is enforced needs nobody, unless the action always does', () => {
  expect(missing(action())).toBeUndefined();
  expect(missing(action({ action: 'strip-finalizer' }))).toContain('nobody approved it');
});

test.each(EXECUTOR_ACTIONS)('ONLY_APPROVED is right about $id', ({ id, onlyApproved }) => {
  expect(missing(action({ action: id })) !== undefined).toBe(onlyApproved);
});

test.each<[string, () => void, object, string | undefined]>([
  ['observed, and approved', approve, { mode: 'observe' }, 'only observed'],
  ['proposed', () => undefined, { rules: { r: 'propose' } }, 'nobody approved it'],
  ['proposed, and approved', approve, { mode: 'propose' }, undefined],
  ['proposed, and approved before', () => approve(1), { mode: 'propose' }, 'nobody approved it'],
  ['of two people one approved', approve, { approvers: { r: 2 } }, 'wants 2 people, and anna'],
])('%s', (_, decide, settings, why) => {
  decide();
  expect(missing(action(), settings)).toEqual(why && expect.stringContaining(why));
});

test('two people; and one who withdrew before the turn began, or in it', () => {
  approve();
  approve(2, 'bob');
  expect(missing(action(), { approvers: { r: 2 } })).toBeUndefined();
  withdraw('approve/f/bob');
  expect(missing(action(), { approvers: { r: 2 } })).toContain('wants 2 people');
  expect(missing(action(), { approvers: { r: 2 } }, { decisions: 2 })).toBeUndefined();
});

describe('of a plan', () => {
  const planned = action({ plan: 'p' });
  test.each<[string, () => unknown, string | undefined]>([
    ['that somebody approved', plan, undefined],
    ['that nobody approved', () => undefined, 'nobody wants plan p'],
    ['that was withdrawn', () => [plan(), withdraw('plan/p')], 'nobody wants plan p'],
    ['of another cluster', () => plan({ identity: { ...HERE, kubernetes: 'b' } }), 'other systems'],
    ['that does not name it', () => plan({ entries: [] }), 'does not name it'],
    ['that expired', () => plan({ expiresAt: '2026-05-04T11:00:00Z' }), 'expired'],
  ])('%s', (_, decide, why) => {
    decide();
    expect(missing(planned, { mode: 'observe' })).toEqual(why && expect.stringContaining(why));
  });

  const refuse = (reason: string): void =>
    judge.refused(action({ plan: 'p', state: 'deferred', code: 'plan-stale', reason }), PROCESS);

  test('of which another entry was refused alone', () => {
    plan();
    refuse('it is no longer what the plan was made of');
    expect(missing(planned)).toBeUndefined();
  });

  test('that was refused, until it is approved again', () => {
    plan();
    refuse('1 of the 2 things the plan is about moved since it was made, so none of it is done');
    expect(missing(planned)).toContain('refused before');
    expect(missing(planned, {}, {}, {})).toBeUndefined();
    plan();
    expect(missing(planned)).toBeUndefined();
  });

  test('that may go beyond ceilings', () => {
    expect(judge.overCeilings(planned)).toBe(false);
    plan({}, true);
    expect(judge.overCeilings(planned)).toBe(true);
  });
});
