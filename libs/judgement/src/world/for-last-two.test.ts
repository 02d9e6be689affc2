import { forLastTwo } from './for-last-two';

test('asks once for each of the last two, by identity', () => {
  const asked: string[] = [];
  const upper = forLastTwo(({ name }: { readonly name: string }) => {
    asked.push(name);
    return name.toUpperCase();
  });
  const a = { name: 'a' };
  const b = { name: 'b' };
  const c = { name: 'c' };
  expect([a, b, a, b, b, a, c, a, b].map(upper)).toEqual([...'ABABBACAB']);
  expect(asked).toEqual(['a', 'b', 'c', 'b']);
  expect(upper({ name: 'b' })).toBe('B');
  expect(asked).toHaveLength(5);
});

test('a result that is undefined is one', () => {
  let asked = 0;
  const nothing = forLastTwo(() => void asked++);
  const subject = {};
  nothing(subject);
  nothing(subject);
  expect(asked).toBe(1);
});
