import type { Plan } from '@ovn-steward/executor';
import type { Action, ActionState } from '@ovn-steward/shared/events/action';
import { standingOf } from './standing';

const PLAN = { entries: [{ id: 'a' }, { id: 'b' }] } as unknown as Plan;
const standing = (a?: ActionState, b?: ActionState) => {
  const states = new Map([['a', a], ['b', b], ['c', 'claimed' as const]]);
  const { ended, atRest } = standingOf(PLAN, (id) => (states.get(id) === undefined ? undefined : ({ id, state: states.get(id) } as Action)));
  return { ended, atRest };
};

test.each<[ActionState | undefined, ActionState | undefined, boolean, boolean]>([
  ['done', 'refused', true, true], ['failed', 'undone', true, true], ['done', 'claimed', false, false], ['done', 'deferred', false, true], ['done', undefined, false, true], ['observed', 'proposed', false, true],
])('%s and %s: ended is %s, at rest is %s', (a, b, ended, atRest) => {
  expect(standing(a, b)).toEqual({ ended, atRest });
});
