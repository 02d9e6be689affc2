import fc from 'fast-check';
import { Failure } from '@ovn-steward/shared/errors';
import { ListCutter, type ListCut } from './list-cutter';

function cut(text: string | Buffer, size = Infinity): ListCut[] {
  const bytes = Buffer.from(text);
  const cutter = new ListCutter('dump.json');
  const cuts: ListCut[] = [];
  for (let at = 0; at < bytes.length; at += Math.min(size, bytes.length))
    cuts.push(...cutter.push(Buffer.from(bytes.subarray(at, at + size))));
  cutter.end();
  return cuts;
}

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  return 'no failure';
};

const parsed = (cuts: ListCut[]): unknown[] =>
  cuts.map((it) =>
    it.cut === 'items' ? ['items', JSON.parse(it.head)] : [it.cut, JSON.parse(it.json)],
  );

describe('ListCutter', () => {
  it('gives the items one by one, and what stands around them', () => {
    expect(
      parsed(
        cut(
          '{"kind":"PodList","items":[{"a":1},{"b":[{"c":"]}"}]}],"metadata":{"resourceVersion":"7"}}',
        ),
      ),
    ).toEqual([
      ['items', { kind: 'PodList', items: [] }],
      ['item', { a: 1 }],
      ['item', { b: [{ c: ']}' }] }],
      ['value', { kind: 'PodList', items: [], metadata: { resourceVersion: '7' } }],
    ]);
  });

  it('takes several lists, objects and line ends of all sorts', () => {
    expect(parsed(cut('{"items":[]}\r\n{"items" : [ {"a":1} ] }{"x":"items"}\n\n'))).toEqual([
      ['items', { items: [] }],
      ['value', { items: [] }],
      ['items', { items: [] }],
      ['item', { a: 1 }],
      ['value', { items: [] }],
      ['value', { x: 'items' }],
    ]);
  });

  it.each([
    '{"spec":{"items":[1]}}',
    '{"x":"items","y":[1]}',
    '{"items":{"items":[1]}}',
    '{"items":"items"}',
    '{"xitems":[1],"item":[1],"itemsx":[1],"\\"items":[1]}',
    '{"data":["items",":",[1]]}',
  ])('does not take %s for a list', (json) => {
    expect(parsed(cut(json))).toEqual([['value', JSON.parse(json)]]);
  });

  it('cuts the same wherever the chunks end, whatever the strings hold', () => {
    const text = fc.string({
      unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', 'items', 'é', '🦉', ' '),
    });
    const object = fc.dictionary(
      fc.oneof(text, fc.constant('items')),
      fc.oneof(text, fc.array(text), fc.dictionary(text, text)),
      { maxKeys: 4 },
    );
    fc.assert(
      fc.property(
        fc.array(object, { maxLength: 4 }),
        object,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(undefined, 1),
        (items, around, size, indent) => {
          const list =
            JSON.stringify({ ...around, items }, null, indent) + JSON.stringify({ last: around });
          const inChunks = cut(list, size);
          expect(inChunks).toEqual(cut(list));
          expect(parsed(inChunks).filter((it) => (it as unknown[])[0] === 'item')).toEqual(
            items.map((it) => ['item', it]),
          );
        },
      ),
    );
  });

  it('reports a truncated dump wherever it was cut', () => {
    const whole = '{"items":[{"a":"x"},{"b":[1]}],"kind":"List"}';
    for (let length = 1; length < whole.length; length++)
      expect(codeOf(() => cut(whole.slice(0, length)))).toBe('input-truncated');
  });

  it.each([
    '{"items":[]}x',
    '[1]',
    '{"items":[{}{}]}',
    '{"items":[{},,{}]}',
    '{"items":[{}}]}',
    '{} null',
  ])('refuses %s', (json) => {
    expect(codeOf(() => cut(json))).toBe('input-unreadable');
  });

  it('does not hold on to an object beyond all measure, in a list or not', () => {
    for (const start of ['{"a":"', '{"items":[{"a":"']) {
      const cutter = new ListCutter('dump.json');
      const filler = Buffer.alloc(1 << 20, 'x');
      cutter.push(Buffer.from(start));
      expect(
        codeOf(() => {
          for (let i = 0; i < 65; i++) cutter.push(filler);
        }),
      ).toBe('input-not-a-dump');
    }
  });

  it('refuses what is not UTF-8', () => {
    expect(
      codeOf(() =>
        cut(Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])),
      ),
    ).toBe('input-unreadable');
    expect(
      codeOf(() =>
        cut(
          Buffer.concat([
            Buffer.from('{"items":[{"a":"'),
            Buffer.from([0xff]),
            Buffer.from('"}]}'),
          ]),
        ),
      ),
    ).toBe('input-unreadable');
  });
});
