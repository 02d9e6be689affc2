import * as fc from 'fast-check';
import { type Bench, brief, foldRecords, readAll, recordText, TICK } from './log-bench';

/** Cleaning loses no last value and nothing that is promised for longer. */
export function describeCompaction(bench: Bench): void {
  const {
    topic,
    compacted,
    expiring,
    record,
    reopen,
    eventually,
    lagMs,
    runs,
    steps: longest,
  } = bench;

  describe('compaction', () => {
    it('removes what is superseded, keeps the last of each key, and leaves offsets as they were', async () => {
      const name = await topic(compacted());
      const acks = [];
      for (const [key, value] of [
        ['a', '1'],
        ['b', '1'],
        ['a', '2'],
        ['c', '1'],
        ['a', '3'],
      ] as const)
        acks.push(await bench.log.append(name, 0, [record(key, value)]));
      const before = await bench.log.watermarks(name, 0);
      await bench.harness.pass(lagMs);
      await eventually(async () =>
        expect(brief(await readAll(bench.log, name))).toEqual([
          ['b', '1'],
          ['c', '1'],
          ['a', '3'],
        ]),
      );
      expect((await readAll(bench.log, name)).slice(0, 3).map(({ offset }) => offset)).toEqual(
        [acks[1], acks[3], acks[4]].map((ack) => ack?.first),
      );
      const after = await bench.log.watermarks(name, 0);
      expect(after.low).toBe(before.low);
      expect(after.high).toBeGreaterThanOrEqual(before.high);
      expect((await bench.log.read(name, 0, acks[0]?.first ?? 0n, 1)).records[0]?.key).toBe('b'); // a position in a gap reads on
      expect(brief(await readAll(bench.log, name, 0, acks[2]?.first))).toEqual([
        ['c', '1'],
        ['a', '3'],
      ]);
    });

    it('keeps a tombstone for its retention, then removes it and never uses its offset again', async () => {
      const name = await topic(compacted());
      await bench.log.append(name, 0, [record('b', '1'), record('a', '1')]);
      const { next } = await bench.log.append(name, 0, [record('a', null)]);
      await bench.harness.pass(lagMs);
      await eventually(async () =>
        expect(brief(await readAll(bench.log, name))).toEqual([
          ['b', '1'],
          ['a', null],
        ]),
      );
      await bench.harness.pass(lagMs);
      expect(brief(await readAll(bench.log, name))).toEqual([
        ['b', '1'],
        ['a', null],
      ]);
      await bench.harness.pass(4 * lagMs);
      await eventually(async () =>
        expect(brief(await readAll(bench.log, name))).toEqual([['b', '1']]),
      );
      const { high } = await bench.log.watermarks(name, 0);
      let position = 0n;
      for (let reads = 0; position < high && reads < 100; reads += 1)
        position = (await bench.log.read(name, 0, position, 100)).next;
      expect(position).toBe(high); // the gap at the end holds nobody up
      await reopen();
      expect((await bench.log.append(name, 0, [record('b')])).first).toBeGreaterThanOrEqual(next);
    });

    it('loses no last value, nothing inside the lag, and no fact a reader needs', async () => {
      const step = fc.oneof(
        fc.record({
          key: fc.constantFrom('a', 'b', 'c', 'd'),
          value: fc.option(fc.string(), { nil: null }),
        }),
        fc.record({ pass: fc.integer({ min: 1, max: 6 }) }),
        fc.constant({ reopen: true }),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: runs < 10 ? longest / 2 : 0, maxLength: longest }),
          async (steps) => {
            const name = await topic(
              compacted({ minCompactionLagMs: lagMs, maxCompactionLagMs: 2 * lagMs }),
            );
            const written: {
              key: string;
              value: string | null;
              offset: bigint;
              timestamp: number;
            }[] = [];
            for (const move of steps) {
              if ('pass' in move) await bench.harness.pass((move.pass * lagMs) / 4);
              else if ('reopen' in move) await reopen();
              else {
                const timestamp = bench.harness.now();
                const { first } = await bench.log.append(name, 0, [{ ...move, timestamp }]);
                written.push({ ...move, offset: first, timestamp });
              }
              const kept = (await readAll(bench.log, name)).filter(({ key }) => key !== TICK);
              const asOf = bench.harness.now(); // after it, since a real clock goes on while it reads
              const offsets = new Set(kept.map(({ offset }) => offset));
              expect(kept.map((r) => [r.offset, r.key, recordText(r)])).toEqual(
                written
                  .filter(({ offset }) => offsets.has(offset))
                  .map((r) => [r.offset, r.key, r.value]),
              );
              expect(
                written.filter(
                  ({ offset, timestamp }) => timestamp > asOf - lagMs && !offsets.has(offset),
                ),
              ).toEqual([]);
              expect(foldRecords(kept)).toEqual(foldRecords(written));
            }
          },
        ),
        { numRuns: runs },
      );
    });

    it('removes expired records from the front, and reports it to a reader who had not read them', async () => {
      const name = await topic(expiring());
      await bench.log.append(name, 0, [record('old'), record('old'), record('old')]);
      const { first } = await bench.log.append(name, 0, [record('old')]);
      await bench.harness.pass(2 * lagMs);
      await bench.log.append(name, 0, [record('young')]);
      await eventually(async () =>
        expect((await bench.log.watermarks(name, 0)).low).toBeGreaterThan(first),
      );
      await reopen();
      const { low } = await bench.log.watermarks(name, 0);
      expect(low).toBeGreaterThan(first);
      expect(
        (await readAll(bench.log, name)).every(({ offset, key }) => offset >= low && key !== 'old'),
      ).toBe(true);
      await expect(bench.log.read(name, 0, 1n, 10)).rejects.toMatchObject({
        code: 'log-position-lost',
      });
    });
  });
}
