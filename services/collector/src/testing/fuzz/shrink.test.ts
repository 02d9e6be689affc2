import type { History, Outcome } from './episode';
import { shrink } from './shrink';
import type { Offence } from './truth/referee';

const offence = (sort: string): Offence => ({ kind: 'missedLeaks', sort, what: sort });

/** A play in which steps 3 and 7 together miss one leak, and step 5 alone another. */
const ran = ({ steps }: History): Outcome => ({
  steps: steps.length,
  confirmed: [],
  reached: new Set(),
  diary: [],
  offences: [
    ...(steps.includes(3) && steps.includes(7) ? [offence('pair')] : []),
    ...(steps.includes(5) ? [offence('single')] : []),
  ],
});
const whole: History = { seed: 1, steps: [1, 2, 3, 4, 5, 6, 7, 8, 9] };

test('a history is shrunk to the steps it takes, in their order', () => {
  expect(shrink(whole, offence('pair'), ran)).toEqual({ seed: 1, steps: [3, 7] });
});

test('it ends in the same sort of offence, not in any', () => {
  expect(shrink(whole, offence('single'), ran).steps).toEqual([5]);
});

test('what never fails again stays as it is', () => {
  expect(shrink(whole, offence('other'), ran)).toEqual(whole);
});
