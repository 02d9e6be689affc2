import type { Plan } from '@ovn-steward/executor';
import type { ActionRecord, ActionState } from '@ovn-steward/contracts/actions/action';
import { planProgressOf } from './plan-progress';

const PLAN = { entries: [{ id: 'a' }, { id: 'b' }] } as unknown as Plan;
const standing = (a?: ActionState, b?: ActionState) => {
  const states = new Map([
    ['a', a],
    ['b', b],
    ['c', 'claimed' as const],
  ]);
  const { ended, atRest } = planProgressOf(PLAN, (id) =>
    states.get(id) === undefined
      ? undefined
      : ({ id, state: states.get(id), code: '' } as ActionRecord),
  );
  return { ended, atRest };
};

test.each<[ActionState | undefined, ActionState | undefined, boolean, boolean]>([
  ['done', 'refused', true, true],
  ['failed', 'undone', true, true],
  ['done', 'claimed', false, false],
  ['done', 'deferred', false, true],
  ['done', undefined, false, true],
  ['observed', 'proposed', false, true],
])('%s and %s: ended is %s, at rest is %s', (a, b, ended, atRest) => {
  expect(standing(a, b)).toEqual({ ended, atRest });
});

test.each<[string, Partial<ActionRecord> | undefined, boolean]>([
  ['refused with the plan', { state: 'deferred', code: 'plan-stale' }, true],
  ['done before', { state: 'done', code: 'done' }, true],
  ['held', { state: 'deferred', code: 'held' }, false],
  ['not heard of', undefined, false],
])('of a plan with one entry that is refused and another that is %s', (_, other, refused) => {
  const actions = new Map([
    ['a', { id: 'a', state: 'deferred', code: 'plan-foreign' }],
    ['b', other],
  ]);
  expect(planProgressOf(PLAN, (id) => actions.get(id) as ActionRecord | undefined).refused).toBe(
    refused,
  );
});
