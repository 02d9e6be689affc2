import {
  Mismatch,
  count,
  flag,
  integer,
  list,
  open,
  record,
  text,
  textMap,
  timestamp,
  type Shape,
} from './shape';

const pathOf = (shape: Shape, value: unknown): string => {
  try {
    shape(value);
  } catch (error) {
    if (error instanceof Mismatch) return error.path.join('.');
    throw error;
  }
  return 'no mismatch';
};

describe('shapes', () => {
  it.each<[string, Shape, unknown]>([
    ['text', text, 1],
    ['text', text, null],
    ['flag', flag, 'true'],
    ['integer', integer, 1.5],
    ['integer', integer, '1'],
    ['count', count, 'many'],
    ['count', count, ''],
    ['count', count, true],
    ['timestamp', timestamp, '2026-11-21'],
    ['timestamp', timestamp, 1795246647],
    ['list', list(text), { 0: 'a' }],
    ['textMap', textMap, { a: 1 }],
    ['textMap', textMap, ['a']],
    ['record', record({}), null],
  ])('%s refuses what it is not', (_name, shape, value) => {
    expect(() => shape(value)).toThrow(Mismatch);
  });

  it.each<[unknown]>([[0], [1.8446744073709552e19], ['18446744073709551614'], ['-1']])(
    'keeps the count %s as it came',
    (value) => {
      expect(count(value)).toBe(value);
    },
  );

  it('names the way to the field', () => {
    const shape = record({ spec: open({ rules: list(record({ port: integer })) }) });
    expect(pathOf(shape, { spec: { rules: [{ port: 1 }, { port: '2' }] } })).toBe(
      'spec.rules.1.port',
    );
  });

  it('record keeps the named fields only and takes null for absent', () => {
    expect(record({ a: text, b: text })({ a: 'x', b: null, c: 'y' })).toEqual({ a: 'x' });
  });

  it('record gives the very object back when nothing is dropped and all is in order', () => {
    const shape = record({ a: text, b: list(text), c: record({ d: text }) });
    for (const input of [{ a: 'x', b: ['y'], c: { d: 'z' } }, { b: [] }, {}])
      expect(shape(Object.freeze(input))).toBe(input);
    const hidden = JSON.parse('{"a":"x","__proto__":{"b":["y"]}}') as object;
    for (const input of [{ b: [], a: 'x' }, { a: 'x', b: null }, { a: 'x', e: 1 }, hidden])
      expect(shape(Object.freeze(input))).not.toBe(input);
    expect(Object.keys(shape({ b: [], a: 'x' }) as object)).toEqual(['a', 'b']);
    expect(shape({ a: 'x', c: { d: 'z', e: 1 } })).toEqual({ a: 'x', c: { d: 'z' } });
  });

  it('record refuses a required field that is missing, null or empty', () => {
    const shape = record({ uid: text }, ['uid']);
    for (const value of [{}, { uid: null }, { uid: '' }]) expect(pathOf(shape, value)).toBe('uid');
  });

  it('open keeps unknown fields, checks known ones, drops null and the unwanted', () => {
    const shape = open({ name: text, texts: list(text) }, ['password']);
    expect(shape({ name: 'a', texts: null, other: { deep: 1 }, password: 'hunter2' })).toEqual({
      name: 'a',
      other: { deep: 1 },
    });
    expect(pathOf(shape, { name: 7 })).toBe('name');
  });

  it('open gives the very object back when nothing is dropped, and changes no input', () => {
    const input = Object.freeze({ name: 'a', texts: Object.freeze(['b']) });
    expect(open({ name: text, texts: list(text) })(input)).toBe(input);
  });

  it('carries a change inside a list out, leaving the input alone', () => {
    const input = { rules: [{ a: 'x' }, { a: null, b: 1 }] };
    expect(open({ rules: list(open({ a: text })) })(input)).toEqual({
      rules: [{ a: 'x' }, { b: 1 }],
    });
    expect(input.rules[1]).toEqual({ a: null, b: 1 });
  });

  it('keeps hostile keys as plain entries', () => {
    const input: unknown = JSON.parse('{"__proto__":"x","constructor":"y","gone":null}');
    const kept = open({ gone: text })(input) as object;
    expect(Object.keys(kept)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });
});
