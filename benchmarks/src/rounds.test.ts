import { inTurns } from './rounds';

test('lets the measures take turns and gives the median of the rounds after the first', () => {
  const calls: string[] = [];
  const measure = (name: string, figures: number[]) => () => {
    calls.push(name);
    return new Map([['it', figures.shift()!]]);
  };
  const [one, other] = inTurns([
    measure('one', [99, 5, 1, 4, 2, 3]),
    measure('other', [0, 10, 10, 10, 10, 70]),
  ]);
  expect(calls.slice(0, 4)).toEqual(['one', 'other', 'one', 'other']);
  expect([one!.get('it'), other!.get('it')]).toEqual([3, 10]);
});
