import { onceEach } from './once-each';

test('each text is said once, beside others', () => {
  const isNew = onceEach();
  expect(['a', 'b', 'a', 'b', 'c'].map(isNew)).toEqual([true, true, false, false, true]);
});

test('what is remembered is bounded: beyond ten thousand all are forgotten', () => {
  const isNew = onceEach();
  for (let index = 0; index < 10_000; index += 1) isNew(`${index}`);
  expect([isNew('0'), isNew('one more'), isNew('0')]).toEqual([false, true, true]);
});
