import fc from 'fast-check';
import { contentHash, SetDigest } from './ids';

const hash = fc.stringMatching(/^[0-9a-f]{16}$/);

test('a content hash is the first 16 digits of the sha256 of the canonical JSON', () => {
  expect(contentHash({ b: 1, a: ['x'] })).toBe('9bfce180614e8aaf');
  expect(contentHash({ a: ['x'], b: 1 })).toBe(contentHash({ b: 1, a: ['x'] }));
  expect(contentHash({ a: ['x'], b: 2 })).not.toBe(contentHash({ a: ['x'], b: 1 }));
});

test('a digest is the sum modulo 2^64, and knows how many it holds', () => {
  fc.assert(
    fc.property(fc.array(hash), fc.array(hash), (kept, removed) => {
      const digest = new SetDigest();
      for (const it of removed) digest.add(it);
      for (const it of kept) digest.add(it);
      for (const it of removed) digest.remove(it);
      const sum = kept.reduce((all, it) => (all + BigInt(`0x${it}`)) % 2n ** 64n, 0n);
      expect(digest.toString()).toBe(sum.toString(16).padStart(16, '0'));
      expect(digest.count).toBe(kept.length);
    }),
  );
});

test('what is taken out before it is put in comes to nothing', () => {
  const digest = new SetDigest();
  digest.remove('ffffffffffffffff');
  digest.add('ffffffffffffffff');
  expect([digest.toString(), digest.count]).toEqual(['0000000000000000', 0]);
});
