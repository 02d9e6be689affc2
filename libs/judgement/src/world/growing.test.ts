import { grown, growing } from './growing';

test('grows by a quarter, keeps what is there, and fills the rest', () => {
  const few = growing().fill(7);
  const more = grown(few, -1);
  expect(more).toHaveLength(few.length * 1.25);
  expect(more.subarray(0, few.length)).toEqual(few);
  expect([...new Set(more.subarray(few.length))]).toEqual([-1]);
  expect(grown(few).at(-1)).toBe(0);
});
