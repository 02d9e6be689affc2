import { isNestedBeyond } from './nesting';

test.each<[string, unknown, boolean]>([
  ['no nesting', 'text', false],
  ['null', null, false],
  ['as deep as may be', { a: [{}] }, false],
  ['deeper, in an object', { a: { b: { c: {} } } }, true],
  ['deeper, in a list', [[[[]]]], true],
  ['deeper, behind what is not', [1, {}, { a: { b: [] } }], true],
  ['deeper, under a name of JavaScript', JSON.parse('{"__proto__":{"a":{"b":{}}}}'), true],
])('%s', (_, value, expected) => {
  expect(isNestedBeyond(value, 3)).toBe(expected);
});

test('so deep that a recursion would end the process', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
  expect(isNestedBeyond(deep, 128)).toBe(true);
});
