import fc from 'fast-check';
import { parseJson, stringifyJson } from './parse-json';

test.each([
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -(2n ** 63n)],
  ['[9223372036854775807]', [2n ** 63n - 1n]],
  ['{"a":{"b":[1,9223372036854775807]}}', { a: { b: [1, 2n ** 63n - 1n] } }],
])('%s is exact', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test('what no 64 bits hold is a real number, and so is what is written as one', () => {
  expect(parseJson('9223372036854775808')).toBe(9223372036854775808);
  expect(parseJson('[12345678901234567.5, 12345678901234567e0]')).toEqual([
    Number('12345678901234567.5'),
    Number('12345678901234567'),
  ]);
});

test('digits inside a string are left alone, whatever quotes and backslashes surround them', () => {
  const strings = [
    '9223372036854775807',
    '\\',
    '"9223372036854775807',
    '\\"9223372036854775807\\',
    ',9223372036854775807,',
  ];
  expect(
    parseJson(`{"9223372036854775807":${JSON.stringify(strings)},"n":9223372036854775807}`),
  ).toEqual({ '9223372036854775807': strings, n: 2n ** 63n - 1n });
});

test('refuses what JSON.parse refuses, with and without long digits', () => {
  for (const text of [
    '',
    '{',
    '01',
    '[01, 9223372036854775807]',
    '"9223372036854775807',
    '9223372036854775807x',
  ])
    expect(() => parseJson(text)).toThrow(SyntaxError);
});

const integer = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .map((big) => (Number.isSafeInteger(Number(big)) ? Number(big) : big));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    integer,
    fc.string({ unit: 'binary' }),
    fc.constantFrom('9223372036854775807', '\\', '"'),
    fc.array(tie('tree')),
    fc.dictionary(fc.string(), tie('tree')),
  ),
}));

test('whatever is written is read again', () => {
  fc.assert(fc.property(tree, (json) => expect(parseJson(stringifyJson(json))).toEqual(json)));
});
