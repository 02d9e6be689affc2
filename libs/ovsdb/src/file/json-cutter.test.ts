import fc from 'fast-check';
import { type JsonCut, JsonCutter, type JsonPath } from './json-cutter';

type Found = [path: JsonPath, value: unknown][];

function cut(
  bytes: Buffer,
  choose: (path: JsonPath) => JsonCut,
  pieces: readonly number[] = [],
): Found {
  const found: Found = [];
  const cutter = new JsonCutter(choose, (path, json) =>
    found.push([[...path], JSON.parse(json.toString()) as unknown]),
  );
  let from = 0;
  for (const to of [...pieces, bytes.length]) {
    cutter.push(bytes.subarray(from, to));
    from = to;
  }
  cutter.end();
  return found;
}

const rows = (path: JsonPath): JsonCut => (path.length < 2 ? 'members' : 'take');
const bytes = (text: string): Buffer => Buffer.from(text);

test('gives the members of the members, and what stands in their place', () => {
  const text =
    ' {"_date" : 5, "T":{"a":{"x":[1,"}"]} , "b":null},"E":{},"s":"te\\"xt","l":[{}] }\n';
  expect(cut(bytes(text), rows)).toEqual([
    [['_date'], 5],
    [['T', 'a'], { x: [1, '}'] }],
    [['T', 'b'], null],
    [['s'], 'te"xt'],
    [['l'], [{}]],
  ]);
});

test('walks into arrays by number, and passes over what is skipped', () => {
  const choose = ([name, part]: JsonPath): JsonCut =>
    name === undefined ? 'members' : part === undefined ? 'elements' : part === 1 ? 'take' : 'skip';
  expect(cut(bytes('{"data":["a",{"b":[2]},[],true],"more":[[0],1]}'), choose)).toEqual([
    [['data', 1], { b: [2] }],
    [['more', 1], 1],
  ]);
});

test.each([
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,}',
  '{"a":1 "b":2}',
  '{a:1}',
  '{"a" 1}',
  '{"a":1}}',
  '{"a":}',
  '{"a":1,,}',
  '{"a":1]',
  '{]',
  '',
  '{"a":{"b":1,}}',
])('refuses %s', (text) => {
  expect(() => cut(bytes(text), rows)).toThrow(SyntaxError);
});

const anyJson = fc.jsonValue({ maxDepth: 6 });

test('cuts the same wherever the bytes are split, and finds everything there is', () => {
  const transaction = fc.dictionary(
    fc.string({ minLength: 1 }),
    fc.dictionary(fc.string({ minLength: 1, unit: 'grapheme' }), anyJson, { minKeys: 1 }),
  );
  fc.assert(
    fc.property(
      transaction,
      fc.boolean(),
      fc.array(fc.nat(), { maxLength: 6 }),
      (json, spaced, splits) => {
        const all = bytes(JSON.stringify(json, null, spaced ? 1 : 0));
        const whole = Object.entries(json).flatMap(([table, held]) =>
          Object.entries(held).map(([id, row]) => [[table, id], JSON.parse(JSON.stringify(row))]),
        );
        expect(
          cut(
            all,
            rows,
            splits.map((split) => split % (all.length + 1)).sort((a, b) => a - b),
          ),
        ).toEqual(whole);
      },
    ),
  );
});

test('every single split of a text with escapes and letters of several bytes', () => {
  const all = bytes(
    JSON.stringify({ 'T"\\': { 'ü\\': { 'ключ"': ['\\"{', '😀', '\\'] }, b: -1.5e3 } }),
  );
  const whole = cut(all, rows);
  expect(whole).toHaveLength(2);
  for (let split = 0; split <= all.length; split++) expect(cut(all, rows, [split])).toEqual(whole);
});
