import fc from 'fast-check';
import { createLineSplitter } from './lines';

const cut = (bytes: Buffer, at: readonly number[]): Buffer[] => {
  const places = [
    0,
    ...at.map((it) => it % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end));
};

test('gives the same lines wherever the bytes are cut, inside characters too', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc
          .string({ unit: 'grapheme', minLength: 1 })
          .filter((it) => !it.includes('\n') && Buffer.from(it).toString() === it),
      ),
      fc.array(fc.nat()),
      (lines, places) => {
        const splitter = createLineSplitter();
        const got = cut(Buffer.from(lines.map((it) => `${it}\n`).join('')), places).flatMap(
          (it) => splitter.push(it) ?? ['torn'],
        );
        expect(got).toEqual(lines);
        expect(splitter.pending).toBe(0);
      },
    ),
  );
});

test('keeps count of a line that has begun', () => {
  const splitter = createLineSplitter();
  expect(splitter.push(Buffer.from('one\ntw'))).toEqual(['one']);
  expect(splitter.pending).toBe(2);
  expect(splitter.push(Buffer.from('o\n'))).toEqual(['two']);
  expect(splitter.pending).toBe(0);
});

test('gives up on what is not UTF-8, and on a line without end', () => {
  expect(createLineSplitter().push(Buffer.from([0xc3, 0x28, 0x0a]))).toBeUndefined();
  const splitter = createLineSplitter(8);
  expect(splitter.push(Buffer.from('12345678'))).toEqual([]);
  expect(splitter.push(Buffer.from('9'))).toBeUndefined();
});
