import { compareValues } from '../compare';
import * as fc from 'fast-check';
import { batchBytes } from './batch-bytes';
import { type Bench, brief, readAll } from './log-bench';

/** What is appended is kept whole, in order, and read back as it was. */
export function describeAppend(bench: Bench): void {
  const { topic, record, reopen, runs } = bench;

  describe('append and read', () => {
    it('keep the order of each partition, and the acknowledged positions', async () => {
      const batches = fc.array(
        fc.record({
          partition: fc.constantFrom(0, 1),
          keys: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 }),
        }),
        { maxLength: 12 },
      );
      await fc.assert(
        fc.asyncProperty(batches, fc.integer({ min: 1, max: 30 }), async (list, max) => {
          const name = await topic();
          const appended: Record<number, { offset: bigint; key: string }[]> = { 0: [], 1: [] };
          for (const { partition, keys } of list) {
            const { first, next } = await bench.log.append(
              name,
              partition,
              keys.map((key) => record(key, key)),
            );
            expect(next - first).toBe(BigInt(keys.length));
            appended[partition]?.push(
              ...keys.map((key, at) => ({ offset: first + BigInt(at), key })),
            );
          }
          for (const partition of [0, 1]) {
            const expected = appended[partition] ?? [];
            expect(
              (await readAll(bench.log, name, partition)).map(({ offset, key }) => ({
                offset,
                key,
              })),
            ).toEqual(expected);
            for (const from of expected) {
              const batch = await bench.log.read(name, partition, from.offset, max);
              expect(batch.records[0]?.key).toBe(from.key);
              expect(batch.records.length).toBeLessThanOrEqual(max);
            }
          }
        }),
        { numRuns: runs },
      );
    });

    it('give back exactly what was appended', async () => {
      const name = await topic();
      const timestamp = bench.harness.now() - 12_345;
      const headers = Object.fromEntries([
        ['__proto__', 'p'],
        ['constructor', 'c'],
        ['ü', '→'],
        ['empty', ''],
      ]);
      await bench.log.append(name, 0, [
        { key: 'tombstone', value: null, timestamp, headers },
        { key: 'empty', value: '', timestamp },
        { key: 'bytes', value: Buffer.from([0, 255, 0, 10]), timestamp },
        { key: '__proto__', value: 'ünïcode →', timestamp },
      ]);
      await reopen();
      const [tombstone, empty, bytes, text] = await readAll(bench.log, name);
      expect(tombstone).toMatchObject({ key: 'tombstone', value: null, timestamp });
      expect(Object.entries(tombstone?.headers ?? {}).sort()).toEqual(
        Object.entries(headers).sort(),
      );
      expect(empty?.value).toEqual(Buffer.alloc(0));
      expect(empty?.headers).toEqual({});
      expect(bytes?.value).toEqual(Buffer.from([0, 255, 0, 10]));
      expect([text?.key, text?.value?.toString()]).toEqual(['__proto__', 'ünïcode →']);
    });

    it('store all records of a batch or none', async () => {
      const name = await topic();
      await bench.log.append(name, 0, [record('before')]);
      const { high } = await bench.log.watermarks(name, 0);
      await expect(
        bench.log.append(name, 0, [record('a'), record('huge', 'x'.repeat(100_001)), record('b')]),
      ).rejects.toMatchObject({
        code: 'log-record-refused',
        message: expect.stringContaining('huge'),
      });
      await expect(
        bench.log.append(name, 0, [
          record('a'),
          { ...record('future'), timestamp: bench.harness.now() + 7_200_000 },
        ]),
      ).rejects.toMatchObject({ code: 'log-record-refused' });
      await expect(bench.log.append(name, 0, [])).rejects.toThrow(RangeError);
      expect((await bench.log.watermarks(name, 0)).high).toBe(high);
      await bench.log.append(name, 0, [record('after')]);
      expect(brief(await readAll(bench.log, name))).toEqual([
        ['before', 'x'],
        ['after', 'x'],
      ]);
    });

    it('take as much at once as the topic says, and not a byte more', async () => {
      const spec = bench.compacted();
      const name = await topic(spec);
      const room = spec.maxMessageBytes - batchBytes([record('a', ''), record('b', '')]);
      const { next } = await bench.log.append(name, 0, [
        record('a', 'x'.repeat(1000)),
        record('b', 'x'.repeat(room - 1000)),
      ]);
      await expect(
        bench.log.append(name, 0, [
          record('a', 'x'.repeat(1000)),
          record('b', 'x'.repeat(room - 999)),
        ]),
      ).rejects.toMatchObject({
        code: 'log-record-refused',
        message: expect.stringContaining('inBatches'),
      });
      expect((await bench.log.watermarks(name, 0)).high).toBe(next);
    });

    it('keep concurrent batches whole, and in the order of their acknowledgements', async () => {
      const name = await topic();
      const acks = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          bench.log.append(
            name,
            0,
            Array.from({ length: 1 + (n % 7) }, (_, at) => record(`${n}/${at}`)),
          ),
        ),
      );
      const byOffset = new Map(
        (await readAll(bench.log, name)).map(({ offset, key }) => [offset, key]),
      );
      acks.forEach(({ first, next }, n) => {
        expect(next - first).toBe(BigInt(1 + (n % 7)));
        for (let at = 0n; at < next - first; at += 1n)
          expect(byOffset.get(first + at)).toBe(`${n}/${at}`);
      });
      expect(byOffset.size).toBe(
        acks.reduce((sum, { first, next }) => sum + Number(next - first), 0),
      );
      const firsts = acks.map(({ first }) => first);
      expect([...firsts].sort(compareValues)).toEqual(firsts);
    });

    it('read nothing at the end, and refuse positions beyond it', async () => {
      const name = await topic();
      expect(await bench.log.read(name, 0, 0n, 10)).toMatchObject({
        topic: name,
        partition: 0,
        records: [],
        next: 0n,
      });
      const { next } = await bench.log.append(name, 0, [record('a')]);
      expect(await bench.log.read(name, 0, next, 10)).toMatchObject({ records: [], next });
      await expect(bench.log.read(name, 0, next + 1n, 10)).rejects.toMatchObject({
        code: 'log-position-lost',
      });
      await expect(bench.log.read(name, 0, 2n ** 62n, 10)).rejects.toMatchObject({
        code: 'log-position-lost',
      });
      const consuming = bench.log.consume({
        group: 'g',
        topics: [name],
        resumeAt: () => next + 1n,
        onBatch: async () => undefined,
        signal: new AbortController().signal,
      });
      await expect(consuming).rejects.toMatchObject({ code: 'log-position-lost' });
    });

    it('survive closing and opening', async () => {
      const name = await topic();
      const { next } = await bench.log.append(name, 0, [record('a'), record('b', null)]);
      await reopen();
      expect(brief(await readAll(bench.log, name))).toEqual([
        ['a', 'x'],
        ['b', null],
      ]);
      expect((await bench.log.append(name, 0, [record('c')])).first).toBeGreaterThanOrEqual(next);
    });

    it('end with the log', async () => {
      const name = await topic();
      const pending = bench.log.append(name, 0, [record('a')]);
      await bench.log.close();
      await pending;
      await expect(bench.log.append(name, 0, [record('b')])).rejects.toMatchObject({
        code: 'log-closed',
      });
      await expect(bench.log.read(name, 0, 0n, 1)).rejects.toMatchObject({ code: 'log-closed' });
      await bench.log.close();
      await bench.open();
      expect(brief(await readAll(bench.log, name))).toEqual([['a', 'x']]);
    });
  });
}
