import * as fc from 'fast-check';
import { batchBytes, inBatches, recordBytes } from './batch-bytes';
import type { NewRecord } from './log';

const records = fc.array(
  fc.record({
    key: fc.string(),
    value: fc.option(fc.string({ maxLength: 60 }), { nil: null }),
    headers: fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
    timestamp: fc.constant(1),
  }),
  { maxLength: 30 },
);

it('keeps all records in their order, in batches that fit but for a record that fits nowhere', () => {
  fc.assert(
    fc.property(records, fc.integer({ min: 62, max: 500 }), (list: NewRecord[], limit) => {
      const batches = [...inBatches(list, limit)];
      expect(batches.flat()).toEqual(list);
      for (const batch of batches)
        expect(batch.length === 1 || batchBytes(batch) <= limit).toBe(true);
      batches
        .slice(1)
        .forEach((batch, at) =>
          expect(batchBytes([...batches[at]!, batch[0]!])).toBeGreaterThan(limit),
        ); // none ends early
    }),
  );
});

it('counts bytes, not characters', () => {
  const timestamp = 1;
  expect(recordBytes({ key: 'é', value: 'é' })).toBe(
    recordBytes({ key: 'ab', value: Buffer.from('ab') }),
  );
  expect(batchBytes([{ key: 'a', value: null, headers: { é: 'x' }, timestamp }])).toBe(
    batchBytes([{ key: 'a', value: '', timestamp }]) + 13,
  );
});
