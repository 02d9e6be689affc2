import * as fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogBatch, LogRecord } from './log';
import { type Bench, brief, readAll } from './log-bench';

/** Following delivers in order, at least once, from where the caller says. */
export function describeConsume(bench: Bench): void {
  const { topic, compacted, record, eventually, until, lagMs, runs } = bench;

  describe('consume', () => {
    const follow = (
      name: string,
      onBatch: (batch: LogBatch) => Promise<void>,
      from: bigint | ((topic: string, partition: number) => bigint) = 0n,
      maxRecords = 10,
    ) => {
      const abort = new AbortController();
      const ended = bench.log.consume({
        group: 'g',
        topics: [name],
        resumeAt: typeof from === 'bigint' ? () => from : from,
        onBatch,
        signal: abort.signal,
        maxRecords,
      });
      return {
        ended,
        stop: () => {
          abort.abort();
          return ended;
        },
      };
    };

    it('starts where the caller says, follows what is appended, and ends when asked to', async () => {
      const name = await topic();
      await bench.log.append(name, 0, [record('a'), record('b')]);
      const { first } = await bench.log.append(name, 0, [record('c')]);
      const seen: string[] = [];
      const following = follow(
        name,
        async ({ records }) => void seen.push(...records.map(({ key }) => key)),
        (_, partition) => (partition === 0 ? first : 0n),
      );
      await until(() => seen.length === 1);
      await bench.log.append(name, 1, [record('d')]);
      await until(() => seen.length === 2);
      await bench.log.append(name, 0, [record('e')]);
      await until(() => seen.length === 3);
      await following.stop();
      await bench.log.append(name, 0, [record('f')]);
      await sleep(20);
      expect(seen).toEqual(['c', 'd', 'e']);
    });

    it('says when it is a member of its group, before the first batch, and when no more', async () => {
      const name = await topic();
      await bench.log.append(name, 0, [record('a')]);
      const abort = new AbortController();
      const said: string[] = [];
      const ended = bench.log.consume({
        group: 'g',
        topics: [name],
        resumeAt: () => 0n,
        onMember: (is) => void said.push(is ? 'member' : 'no member'),
        onBatch: async () => void said.push('batch'),
        signal: abort.signal,
      });
      await until(() => said.includes('batch'));
      expect(said[0]).toBe('member');
      abort.abort();
      await ended;
      expect(said.at(-1)).toBe('no member');
    });

    it('hands over batches one at a time, in order, and each record once', async () => {
      const name = await topic();
      const seen: Record<number, bigint[]> = { 0: [], 1: [] };
      let running = 0;
      const following = follow(name, async ({ partition, records, next }) => {
        running += 1;
        expect([running, records.length > 0, records.length <= 10]).toEqual([1, true, true]);
        expect(next > (records.at(-1)?.offset ?? next)).toBe(true);
        await sleep(1);
        seen[partition]?.push(...records.map(({ offset }) => offset));
        running -= 1;
      });
      const sent: Record<number, bigint[]> = { 0: [], 1: [] };
      for (let n = 0; n < 30; n += 1) {
        const { first } = await bench.log.append(name, n % 2, [
          record('a'),
          record('b'),
          record('c'),
        ]);
        sent[n % 2]?.push(first, first + 1n, first + 2n);
      }
      await until(() => seen[0]?.length === 45 && seen[1]?.length === 45);
      await following.stop();
      expect(seen).toEqual(sent);
    });

    it('passes over the gaps that compaction leaves', async () => {
      const name = await topic(compacted());
      for (const [key, value] of [
        ['a', '1'],
        ['b', '1'],
        ['a', '2'],
        ['c', '1'],
        ['a', '3'],
        ['b', '2'],
      ] as const)
        await bench.log.append(name, 0, [record(key, value)]);
      await bench.harness.pass(lagMs);
      await eventually(async () => expect(brief(await readAll(bench.log, name))).toHaveLength(3));
      const seen: LogRecord[] = [];
      const following = follow(name, async ({ records }) => void seen.push(...records), 0n, 1);
      await until(() => brief(seen).length === 3);
      await bench.log.append(name, 0, [record('d', '1')]);
      await until(() => brief(seen).length === 4);
      await following.stop();
      expect(brief(seen)).toEqual([
        ['c', '1'],
        ['a', '3'],
        ['b', '2'],
        ['d', '1'],
      ]);
    });

    it('calls the handler no more once it is asked to end', async () => {
      const name = await topic();
      await Promise.all([
        bench.log.append(name, 0, [record('a'), record('b')]),
        bench.log.append(name, 1, [record('c')]),
      ]);
      const abort = new AbortController();
      let calls = 0;
      const onBatch = async (): Promise<void> => {
        calls += 1;
        abort.abort();
      };
      await bench.log.consume({
        group: 'g',
        topics: [name],
        resumeAt: () => 0n,
        onBatch,
        signal: abort.signal,
        maxRecords: 1,
      });
      expect(calls).toBe(1);
    });

    it('waits for the running handler when it is asked to end', async () => {
      const name = await topic();
      await bench.log.append(name, 0, [record('a')]);
      let state = 'waiting';
      const following = follow(name, async () => {
        state = 'running';
        await sleep(30);
        state = 'done';
      });
      await until(() => state === 'running');
      await following.stop();
      expect(state).toBe('done');
    });

    it('takes back every partition it gave, after the last handler, however the reading ends', async () => {
      const name = await topic();
      for (const ending of ['asked to end', 'handler failed', 'log closed'] as const) {
        await bench.log.append(name, 0, [record('a')]);
        const abort = new AbortController();
        const held = new Set<number>();
        const events: string[] = [];
        const ended = bench.log.consume({
          group: 'g',
          topics: [name],
          signal: abort.signal,
          resumeAt: (_, partition) => {
            held.add(partition);
            return 0n;
          },
          async onBatch() {
            if (ending === 'asked to end') abort.abort();
            if (ending === 'handler failed') throw new Error('crashed');
            await sleep(10);
            events.push('handled');
          },
          async onRevoked(from, partition) {
            await sleep(1);
            expect([from, held.delete(partition)]).toEqual([name, true]);
            events.push('revoked');
          },
        });
        if (ending === 'log closed')
          await until(() => events.includes('handled')).then(() => bench.log.close());
        await (ending === 'handler failed' ? expect(ended).rejects.toThrow('crashed') : ended);
        expect([
          held.size,
          events.lastIndexOf('handled') < events.indexOf('revoked'),
          events.at(-1),
        ]).toEqual([0, true, 'revoked']);
      }
    });

    it('takes back every partition also when that throws, and ends with the first error', async () => {
      const name = await topic();
      await bench.log.append(name, 0, [record('a')]);
      for (const crash of [false, true]) {
        const abort = new AbortController();
        const held = new Set<number>();
        const ended = bench.log.consume({
          group: 'g',
          topics: [name],
          signal: abort.signal,
          resumeAt: (_, partition) => {
            held.add(partition);
            return 0n;
          },
          async onBatch() {
            await until(() => held.size > 1);
            if (crash) throw new Error('crashed');
            abort.abort();
          },
          onRevoked(_, partition) {
            held.delete(partition);
            throw new Error('not closed');
          },
        });
        await expect(ended).rejects.toThrow(crash ? 'crashed' : 'not closed');
        expect(held.size).toBe(0);
      }
    });

    it('calls nobody when it was asked to end before it began, and ends with the log', async () => {
      const name = await topic();
      await bench.log.append(name, 0, [record('a')]);
      let calls = 0;
      await bench.log.consume({
        group: 'g',
        topics: [name],
        resumeAt: () => 0n,
        onBatch: async () => void (calls += 1),
        signal: AbortSignal.abort(),
      });
      expect(calls).toBe(0);
      const following = follow(name, async () => void (calls += 1));
      await until(() => calls === 1);
      await bench.log.close();
      await following.ended;
    });

    it('delivers again what was not stored, so that a reader who stores position and effect together applies all once', async () => {
      const crashes = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(crashes, fc.integer({ min: 1, max: 9 }), async (fates, maxRecords) => {
          const name = await topic();
          await bench.log.append(
            name,
            0,
            Array.from({ length: 25 }, (_, n) => record(`${n}`)),
          );
          const store = { position: 0n, applied: [] as string[] };
          const fate = fates[Symbol.iterator]();
          const attempts = { made: 0 };
          for (let done = false; !done; attempts.made += 1) {
            const following = follow(
              name,
              async ({ partition, records, next }) => {
                expect(partition).toBe(0);
                if (fate.next().value === true) throw new Error('crashed');
                store.applied.push(...records.map(({ key }) => key));
                store.position = next;
              },
              (_, partition) => (partition === 0 ? store.position : 0n),
              maxRecords,
            );
            const crashed = await Promise.race([
              following.ended.then(
                () => false,
                (error: Error) => error.message === 'crashed',
              ),
              until(() => store.applied.length >= 25).then(() => false),
            ]);
            await following
              .stop()
              .catch((error: unknown) => expect(error).toMatchObject({ message: 'crashed' }));
            done = !crashed;
          }
          expect(store.applied).toEqual(Array.from({ length: 25 }, (_, n) => `${n}`));
        }),
        { numRuns: runs },
      );
    });
  });
}
