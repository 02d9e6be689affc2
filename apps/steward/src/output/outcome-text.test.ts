import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Plan } from '@ovn-steward/executor';
import { outcomeText } from './outcome-text';

const PLAN = {
  id: 'c0ffee'.repeat(10),
  entries: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
} as unknown as Plan;
const action = (state: string): ActionRecord =>
  ({ state, code: state, undo: null }) as unknown as ActionRecord;
const text = (states: readonly string[], interrupted = false): string =>
  outcomeText(PLAN, states.map(action), interrupted, { kafkaBrokers: 'kafka-1:9092' });

test('what became of each is counted, and how to go on with what is not done', () => {
  expect(text(['done', 'deferred'])).toMatch(
    /^\nOf 3: 1 done, 1 deferred, 1 not touched\.\nWhat is not done is not done later by itself: apply the plan again while it is valid, or make another with steward plan\.\nTo have it put back: .*steward undo/,
  );
});

test('of what is all done it is only said how it is put back', () => {
  expect(text(['done', 'done', 'done'])).toMatch(/^\nOf 3: 3 done\.\nTo have it put back: /);
});

test('of what is not done nothing can be put back', () => {
  const interrupted = text([], true);
  expect(interrupted).toMatch(/^\nInterrupted\. Of 3: 3 not touched\.\nWhat is not done /);
  expect(interrupted).not.toContain('undo');
});
