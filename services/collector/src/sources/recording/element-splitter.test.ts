import fc from 'fast-check';
import { ElementSplitter, UnexpectedByte } from './element-splitter';

/** The elements, and what follows the array. */
function split(text: string, size: number): [string[], string] {
  const bytes = Buffer.from(text);
  const splitter = new ElementSplitter();
  const elements: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const end = splitter.push(bytes.subarray(at, at + size), 0, (json) =>
      elements.push(json.toString()),
    );
    if (end !== -1) return [elements, bytes.subarray(at + end).toString()];
  }
  return [elements, 'unfinished'];
}

describe('ElementSplitter', () => {
  it('gives the objects and stops after the array, wherever the chunks end', () => {
    const text = fc.string({
      unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', 'é', '🦉'),
    });
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(text, fc.oneof(text, fc.array(text))), { maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        (objects, size) => {
          const [elements, rest] = split(`${JSON.stringify(objects).slice(1)},"rest"`, size);
          expect(elements.map((it) => JSON.parse(it) as unknown)).toEqual(objects);
          expect(rest).toBe(',"rest"');
        },
      ),
    );
  });

  it('waits for the rest, and says how much it holds', () => {
    const splitter = new ElementSplitter();
    expect(splitter.push(Buffer.from(' {"a":"\\'), 0, () => undefined)).toBe(-1);
    expect(splitter.pending()).toBe(7);
  });

  it.each(['1]', '"x"]', 'null]', '[]]', ',{}]', '{},]', '{},,{}]', '{}{}]', '{}}'])(
    'refuses %s',
    (text) => {
      expect(() => split(text, 100)).toThrow(UnexpectedByte);
    },
  );
});
