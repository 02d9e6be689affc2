import fc from 'fast-check';
import { JsonSplitter, type SplitOptions } from './framing';

/** Feeds the bytes cut at these places. */
function split(
  bytes: Buffer,
  cuts: readonly number[],
  options: SplitOptions = {},
): { values: string[]; splitter: JsonSplitter } {
  const splitter = new JsonSplitter(options);
  const places = [
    0,
    ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  const values = places
    .slice(1)
    .flatMap((end, index) => splitter.push(bytes.subarray(places[index], end)));
  return { values, splitter };
}

const byteByByte = (bytes: Buffer): number[] => Array.from(bytes, (_, index) => index);
const space = fc.constantFrom('', ' ', '\n', '\t \r\n');
const cuts = fc.array(fc.nat(5000), { maxLength: 30 });
const nasty = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('\\', '"', '\\"', '}', ']{', '\u0000', '🦆'),
);
const json = fc
  .jsonValue({ maxDepth: 4 })
  .chain((value) => nasty.map((text) => ({ value, [text]: text, list: [text, [text]] })));

describe('a stream of objects', () => {
  test('gives the same messages however it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(json, space), { maxLength: 6 }), cuts, (messages, places) => {
        const bytes = Buffer.from(
          messages.map(([message, gap]) => JSON.stringify(message) + gap).join(''),
        );
        const wanted = messages.map(([message]) => JSON.parse(JSON.stringify(message)) as unknown);
        for (const each of [places, byteByByte(bytes)]) {
          const { values, splitter } = split(bytes, each);
          expect(values.map((text) => JSON.parse(text) as unknown)).toEqual(wanted);
          expect(splitter.pending).toBe(0);
        }
      }),
    );
  });

  test('holds an unfinished message until its end comes', () => {
    const splitter = new JsonSplitter();
    expect(splitter.push(Buffer.from('{"a":"}"'))).toEqual([]);
    expect(splitter.pending).toBe(8);
    expect(splitter.push(Buffer.from('} '))).toEqual(['{"a":"}"}']);
  });

  test.each(['x', '1', '"a"', '}', ']', ',', '\u0016\u0003'])(
    'refuses %j where a message should begin',
    (text) => {
      expect(() => new JsonSplitter().push(Buffer.from(text))).toThrow(
        expect.objectContaining({ code: 'protocol' }),
      );
    },
  );

  test('refuses bytes that are no UTF-8 instead of replacing them', () => {
    expect(() =>
      new JsonSplitter().push(Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d])),
    ).toThrow(expect.objectContaining({ code: 'protocol' }));
  });

  test('accepts a message of the largest size and refuses one byte more', () => {
    const message = Buffer.from('{"a":"12345"}');
    expect(split(message, [4], { maxBytes: 13 }).values).toHaveLength(1);
    expect(() => split(message, [4], { maxBytes: 12 })).toThrow(
      expect.objectContaining({ code: 'protocol' }),
    );
  });

  test('costs the same per byte in small pieces as in one', () => {
    const bytes = Buffer.from(`{"a":[${'"0123456789",'.repeat(400_000)}0]}`);
    const splitter = new JsonSplitter();
    for (let at = 0; at < bytes.length; at += 100) splitter.push(bytes.subarray(at, at + 100));
    // Looking again at what was held would take longer than a test may; this takes a tenth of a
    // second.
    expect(splitter.pending).toBe(0);
  });
});

describe('the elements of one array', () => {
  const array: SplitOptions = { layout: 'array' };

  test('are the same however it is cut, and what follows the array is kept', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(json, fc.jsonValue()), { maxLength: 6 }),
        space,
        cuts,
        (elements, gap, places) => {
          const text = `${gap}[${gap}${elements.map((element) => JSON.stringify(element)).join(`${gap},${gap}`)}${gap}]${gap},"rest"`;
          const bytes = Buffer.from(text);
          for (const each of [places, byteByByte(bytes)]) {
            const { values, splitter } = split(bytes, each, array);
            expect(values.map((value) => JSON.parse(value) as unknown)).toEqual(
              JSON.parse(JSON.stringify(elements)),
            );
            expect(splitter.rest?.toString()).toBe(`${gap},"rest"`);
          }
        },
      ),
    );
  });

  test('says by a missing rest that the array has not ended', () => {
    const { values, splitter } = split(Buffer.from('[1, 2'), [], array);
    expect(values).toEqual(['1']);
    expect(splitter.rest).toBeUndefined();
  });

  test.each(['{}', '[,1]', '[1,]', '[1,,2]', '[1 2]', '["a""b"]', '[}]'])('refuses %s', (text) => {
    expect(() => split(Buffer.from(text), [], array)).toThrow(
      expect.objectContaining({ code: 'protocol' }),
    );
  });
});
