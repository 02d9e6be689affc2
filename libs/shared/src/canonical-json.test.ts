import fc from 'fast-check';
import { canonicalJson } from './canonical-json';

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, member]) => [key, reversed(member)]),
      )
    : value;
};

test('says what JSON says, whatever the order of the keys', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
    }),
  );
});

test('puts keys in order at every depth and leaves out what is undefined', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x', '"': true, z: undefined })).toBe(
    '{"\\"":true,"a":"x","b":[{"c":null,"d":1}]}',
  );
});

test('writes what JSON cannot say as null, like JSON.stringify within a list', () => {
  expect(canonicalJson([undefined, NaN, '\ud800', '\u2028'])).toBe(
    '[null,null,"\\ud800","\u2028"]',
  );
});
