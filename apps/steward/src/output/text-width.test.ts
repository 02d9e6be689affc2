import { padded, widthOf } from './text-width';

test.each([
  ['web-0', 5],
  ['网络', 4],
  ['e\u0301', 1],
  ['☕', 2],
  ['\u001b[31mred\u001b[0m', 3],
  ['', 0],
])('%j is %i wide', (text, width) => expect(widthOf(text)).toBe(width));

test('what is wider already is left as it is', () => {
  expect(padded('网络', 6)).toBe('网络  ');
  expect(padded('网络', 3)).toBe('网络');
});
