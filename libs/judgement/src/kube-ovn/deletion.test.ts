import { entityOf, object } from '../testing/builders';
import { held, isTerminating } from './deletion';

const vpc = (name: string, metadata: Record<string, unknown> = {}) =>
  entityOf(object('Vpc', name, { metadata }));
const going = { deletionTimestamp: '2026-01-01T00:00:00Z' };

test('an object is terminating while it is being deleted and somebody holds it', () => {
  expect(isTerminating(vpc('v'))).toBe(false);
  expect(isTerminating(vpc('v', { finalizers: ['x'] }))).toBe(false);
  expect(isTerminating(vpc('v', going))).toBe(false);
  expect(isTerminating(vpc('v', { ...going, finalizers: [] }))).toBe(false);
  expect(isTerminating(vpc('v', { ...going, finalizers: ['x'] }))).toBe(true);
});

test('what is held is named in one order, at most five, the first with its object', () => {
  const many = ['f', 'b', 'e', 'a', 'd', 'c'].map((it) => vpc(it));
  expect(held('taken', many)).toEqual([
    {
      because: 'taken: Vpc a, Vpc b, Vpc c, Vpc d, Vpc e and 1 more',
      by: many[3],
      all: ['a', 'b', 'c', 'd', 'e', 'f'].map((it) => vpc(it)),
    },
  ]);
  expect(held('taken', many.slice(0, 1), 9)[0]!.because).toBe('taken: Vpc f and 8 more');
  expect(held('taken', [])).toEqual([]);
});
