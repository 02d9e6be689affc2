import * as fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CompactedTopic, ExpiringTopic, Log, LogBatch, LogRecord, NewRecord } from './log';

/** What an adapter brings along so that the contract can judge it. One harness serves one test. */
export interface LogHarness {
  /** Opens the log; all logs opened by one harness see the same records. At most one is open at a time. */
  open(): Promise<Log>;
  /** The clock that ages are counted by, ms since the epoch. */
  now(): number;
  /** Lets at least `ms` pass, then gives the cleaning that is due the chance to run. May append records with the key `_tick`. */
  pass(ms: number): Promise<void>;
  /** Removes everything. */
  end(): Promise<void>;
}

export interface LogContract {
  readonly name: string;
  start(): Promise<LogHarness>;
  /** The scale of lags and retentions in the tests: tiny where the clock is real. */
  readonly lagMs: number;
  /** How long what is due may take to be seen. */
  readonly patienceMs: number;
  /** Runs of each property. */
  readonly runs: number;
}

const TICK = '_tick';
let topicsMade = 0;
const fresh = (): string => `contract-${process.pid}-${(topicsMade += 1)}`;

const textOf = (record: LogRecord): string | null => record.value?.toString() ?? null;
const brief = (records: readonly LogRecord[]): [string, string | null][] => records.filter(({ key }) => key !== TICK).map((it) => [it.key, textOf(it)]);

async function readAll(log: Log, topic: string, partition = 0, from = 0n): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  const { high } = await log.watermarks(topic, partition);
  for (let position = from; ;) {
    const batch = await log.read(topic, partition, position, 100);
    records.push(...batch.records);
    if (batch.next >= high) return records;
    position = batch.next;
  }
}

/** The last value of every key; a tombstone is no value. */
const fold = (records: readonly { key: string; value: Buffer | string | null }[]): [string, string][] => {
  const state = new Map<string, string>();
  for (const { key, value } of records) {
    if (value === null) state.delete(key);
    else if (key !== TICK) state.set(key, value.toString());
  }
  return [...state].sort(([a], [b]) => (a < b ? -1 : 1));
};

/** The promises of `Log`, for any adapter: `describeLog({ name: 'SQLite', … })` in the adapter's test. */
export function describeLog({ name, start, lagMs, patienceMs, runs }: LogContract): void {
  describe(`the log contract, kept by ${name}`, () => {
    let harness: LogHarness;
    let log: Log;
    const compacted = (more: Partial<CompactedTopic> = {}): CompactedTopic =>
      ({ name: fresh(), partitions: 2, cleanup: 'compact', minCompactionLagMs: 0, maxCompactionLagMs: lagMs, deleteRetentionMs: 3 * lagMs, maxMessageBytes: 100_000, ...more });
    const expiring = (): ExpiringTopic => ({ name: fresh(), partitions: 1, cleanup: 'delete', retentionMs: lagMs, maxMessageBytes: 100_000 });
    const topic = async (spec: CompactedTopic | ExpiringTopic = compacted({ minCompactionLagMs: 10 * 86_400_000, maxCompactionLagMs: 20 * 86_400_000 })): Promise<string> => {
      await log.ensureTopics([spec]);
      return spec.name;
    };
    const record = (key: string, value: Buffer | string | null = 'x'): NewRecord => ({ key, value, timestamp: harness.now() });
    const reopen = async (): Promise<void> => {
      await log.close();
      log = await harness.open();
    };
    const eventually = async (look: () => Promise<void>): Promise<void> => {
      for (const end = Date.now() + patienceMs; ; await harness.pass(lagMs / 4)) {
        try {
          return await look();
        } catch (error) {
          if (Date.now() >= end) throw error;
        }
      }
    };
    const until = async (condition: () => boolean, ms = 5000 + patienceMs): Promise<void> => {
      for (const end = Date.now() + ms; !condition(); await sleep(2)) if (Date.now() > end) throw new Error('waited too long');
    };

    beforeEach(async () => {
      harness = await start();
      log = await harness.open();
    });
    afterEach(async () => {
      await log.close();
      await harness.end();
    });

    describe('topics', () => {
      it('are made once, and verified after that', async () => {
        const spec = compacted();
        await log.ensureTopics([spec, expiring()]);
        await log.append(spec.name, 1, [record('a')]);
        await log.ensureTopics([spec]);
        await reopen();
        await log.ensureTopics([spec]);
        expect(brief(await readAll(log, spec.name, 1))).toEqual([['a', 'x']]);
      });

      it.each<[string, Partial<CompactedTopic>]>([['partitions', { partitions: 3 }], ['minCompactionLagMs', { minCompactionLagMs: 7 }], ['maxMessageBytes', { maxMessageBytes: 77_777 }]])('that drifted in %s are refused by name and setting', async (setting, change) => {
        const spec = compacted();
        await log.ensureTopics([spec]);
        await expect(log.ensureTopics([{ ...spec, ...change }])).rejects.toMatchObject({ code: 'log-topic-drift', message: expect.stringContaining(setting) });
        await expect(log.ensureTopics([{ ...spec, ...change }])).rejects.toThrow(spec.name);
      });

      it('that drifted in cleanup are refused', async () => {
        const { name, partitions, maxMessageBytes } = compacted();
        await log.ensureTopics([compacted({ name })]);
        await expect(log.ensureTopics([{ name, partitions, maxMessageBytes, cleanup: 'delete', retentionMs: lagMs }])).rejects.toMatchObject({ code: 'log-topic-drift' });
      });

      it('that nobody made are not guessed', async () => {
        const known = await topic();
        for (const [unknown, partition] of [[fresh(), 0], [known, 2], [known, -1]] as const) {
          await expect(log.append(unknown, partition, [record('a')])).rejects.toMatchObject({ code: 'log-topic-unknown' });
          await expect(log.read(unknown, partition, 0n, 1)).rejects.toMatchObject({ code: 'log-topic-unknown' });
          await expect(log.watermarks(unknown, partition)).rejects.toMatchObject({ code: 'log-topic-unknown' });
        }
        const consuming = log.consume({ group: 'g', topics: [fresh()], resumeAt: () => 0n, onBatch: async () => undefined, signal: new AbortController().signal });
        await expect(consuming).rejects.toMatchObject({ code: 'log-topic-unknown' });
      });
    });

    describe('append and read', () => {
      it('keep the order of each partition, and the acknowledged positions', async () => {
        const batches = fc.array(fc.record({ partition: fc.constantFrom(0, 1), keys: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 }) }), { maxLength: 12 });
        await fc.assert(fc.asyncProperty(batches, fc.integer({ min: 1, max: 30 }), async (list, max) => {
          const name = await topic();
          const told: Record<number, { offset: bigint; key: string }[]> = { 0: [], 1: [] };
          for (const { partition, keys } of list) {
            const { first, next } = await log.append(name, partition, keys.map((key) => record(key, key)));
            expect(next - first).toBe(BigInt(keys.length));
            told[partition]?.push(...keys.map((key, at) => ({ offset: first + BigInt(at), key })));
          }
          for (const partition of [0, 1]) {
            const expected = told[partition] ?? [];
            expect((await readAll(log, name, partition)).map(({ offset, key }) => ({ offset, key }))).toEqual(expected);
            for (const from of expected) {
              const batch = await log.read(name, partition, from.offset, max);
              expect(batch.records[0]?.key).toBe(from.key);
              expect(batch.records.length).toBeLessThanOrEqual(max);
            }
          }
        }), { numRuns: runs });
      });

      it('give back exactly what was appended', async () => {
        const name = await topic();
        const timestamp = harness.now() - 12_345;
        const headers = Object.fromEntries([['__proto__', 'p'], ['constructor', 'c'], ['ü', '→'], ['empty', '']]);
        await log.append(name, 0, [
          { key: 'tombstone', value: null, timestamp, headers },
          { key: 'empty', value: '', timestamp },
          { key: 'bytes', value: Buffer.from([0, 255, 0, 10]), timestamp },
          { key: '__proto__', value: 'ünïcode →', timestamp },
        ]);
        await reopen();
        const [tombstone, empty, bytes, text] = await readAll(log, name);
        expect(tombstone).toMatchObject({ key: 'tombstone', value: null, timestamp });
        expect(Object.entries(tombstone?.headers ?? {}).sort()).toEqual(Object.entries(headers).sort());
        expect(empty?.value).toEqual(Buffer.alloc(0));
        expect(empty?.headers).toEqual({});
        expect(bytes?.value).toEqual(Buffer.from([0, 255, 0, 10]));
        expect([text?.key, text?.value?.toString()]).toEqual(['__proto__', 'ünïcode →']);
      });

      it('store all records of a batch or none', async () => {
        const name = await topic();
        await log.append(name, 0, [record('before')]);
        const { high } = await log.watermarks(name, 0);
        await expect(log.append(name, 0, [record('a'), record('huge', 'x'.repeat(100_001)), record('b')])).rejects.toMatchObject({ code: 'log-record-refused', message: expect.stringContaining('huge') });
        await expect(log.append(name, 0, [record('a'), { ...record('future'), timestamp: harness.now() + 7_200_000 }])).rejects.toMatchObject({ code: 'log-record-refused' });
        await expect(log.append(name, 0, [])).rejects.toThrow(RangeError);
        expect((await log.watermarks(name, 0)).high).toBe(high);
        await log.append(name, 0, [record('after')]);
        expect(brief(await readAll(log, name))).toEqual([['before', 'x'], ['after', 'x']]);
      });

      it('keep concurrent batches whole, and in the order of their acknowledgements', async () => {
        const name = await topic();
        const acks = await Promise.all(Array.from({ length: 40 }, (_, n) => log.append(name, 0, Array.from({ length: 1 + (n % 7) }, (_, at) => record(`${n}/${at}`)))));
        const byOffset = new Map((await readAll(log, name)).map(({ offset, key }) => [offset, key]));
        acks.forEach(({ first, next }, n) => {
          expect(next - first).toBe(BigInt(1 + (n % 7)));
          for (let at = 0n; at < next - first; at += 1n) expect(byOffset.get(first + at)).toBe(`${n}/${at}`);
        });
        expect(byOffset.size).toBe(acks.reduce((sum, { first, next }) => sum + Number(next - first), 0));
        const firsts = acks.map(({ first }) => first);
        expect([...firsts].sort((a, b) => (a < b ? -1 : 1))).toEqual(firsts);
      });

      it('read nothing at the end, and refuse positions beyond it', async () => {
        const name = await topic();
        expect(await log.read(name, 0, 0n, 10)).toMatchObject({ topic: name, partition: 0, records: [], next: 0n });
        const { next } = await log.append(name, 0, [record('a')]);
        expect(await log.read(name, 0, next, 10)).toMatchObject({ records: [], next });
        await expect(log.read(name, 0, next + 1n, 10)).rejects.toMatchObject({ code: 'log-position-lost' });
        await expect(log.read(name, 0, 2n ** 62n, 10)).rejects.toMatchObject({ code: 'log-position-lost' });
        const consuming = log.consume({ group: 'g', topics: [name], resumeAt: () => next + 1n, onBatch: async () => undefined, signal: new AbortController().signal });
        await expect(consuming).rejects.toMatchObject({ code: 'log-position-lost' });
      });

      it('survive closing and opening', async () => {
        const name = await topic();
        const { next } = await log.append(name, 0, [record('a'), record('b', null)]);
        await reopen();
        expect(brief(await readAll(log, name))).toEqual([['a', 'x'], ['b', null]]);
        expect((await log.append(name, 0, [record('c')])).first).toBeGreaterThanOrEqual(next);
      });

      it('end with the log', async () => {
        const name = await topic();
        const pending = log.append(name, 0, [record('a')]);
        await log.close();
        await pending;
        await expect(log.append(name, 0, [record('b')])).rejects.toMatchObject({ code: 'log-closed' });
        await expect(log.read(name, 0, 0n, 1)).rejects.toMatchObject({ code: 'log-closed' });
        await log.close();
        log = await harness.open();
        expect(brief(await readAll(log, name))).toEqual([['a', 'x']]);
      });
    });

    describe('compaction', () => {
      it('removes what is superseded, keeps the last of each key, and leaves offsets as they were', async () => {
        const name = await topic(compacted());
        const acks = [];
        for (const [key, value] of [['a', '1'], ['b', '1'], ['a', '2'], ['c', '1'], ['a', '3']] as const) acks.push(await log.append(name, 0, [record(key, value)]));
        const before = await log.watermarks(name, 0);
        await harness.pass(lagMs);
        await eventually(async () => expect(brief(await readAll(log, name))).toEqual([['b', '1'], ['c', '1'], ['a', '3']]));
        expect((await readAll(log, name)).slice(0, 3).map(({ offset }) => offset)).toEqual([acks[1], acks[3], acks[4]].map((ack) => ack?.first));
        const after = await log.watermarks(name, 0);
        expect(after.low).toBe(before.low);
        expect(after.high).toBeGreaterThanOrEqual(before.high);
        expect((await log.read(name, 0, acks[0]?.first ?? 0n, 1)).records[0]?.key).toBe('b'); // a position in a gap reads on
        expect(brief(await readAll(log, name, 0, acks[2]?.first))).toEqual([['c', '1'], ['a', '3']]);
      });

      it('keeps a tombstone for its retention, then removes it and never uses its offset again', async () => {
        const name = await topic(compacted());
        await log.append(name, 0, [record('b', '1'), record('a', '1')]);
        const { next } = await log.append(name, 0, [record('a', null)]);
        await harness.pass(lagMs);
        await eventually(async () => expect(brief(await readAll(log, name))).toEqual([['b', '1'], ['a', null]]));
        await harness.pass(lagMs);
        expect(brief(await readAll(log, name))).toEqual([['b', '1'], ['a', null]]);
        await harness.pass(4 * lagMs);
        await eventually(async () => expect(brief(await readAll(log, name))).toEqual([['b', '1']]));
        expect((await log.read(name, 0, 0n, 100)).next).toBe((await log.watermarks(name, 0)).high); // the gap at the end is part of the batch
        await reopen();
        expect((await log.append(name, 0, [record('b')])).first).toBeGreaterThanOrEqual(next);
      });

      it('loses no last value, nothing inside the lag, and no fact a reader needs', async () => {
        const step = fc.oneof(
          fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), value: fc.option(fc.string(), { nil: null }) }),
          fc.record({ pass: fc.integer({ min: 1, max: 6 }) }),
          fc.constant({ reopen: true }),
        );
        await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          const name = await topic(compacted({ minCompactionLagMs: lagMs, maxCompactionLagMs: 2 * lagMs }));
          const written: { key: string; value: string | null; offset: bigint; timestamp: number }[] = [];
          for (const it of steps) {
            if ('pass' in it) await harness.pass((it.pass * lagMs) / 4);
            else if ('reopen' in it) await reopen();
            else {
              const timestamp = harness.now();
              const { first } = await log.append(name, 0, [{ ...it, timestamp }]);
              written.push({ ...it, offset: first, timestamp });
            }
            const asOf = harness.now();
            const kept = (await readAll(log, name)).filter(({ key }) => key !== TICK);
            const offsets = new Set(kept.map(({ offset }) => offset));
            expect(kept.map((r) => [r.offset, r.key, textOf(r)])).toEqual(written.filter(({ offset }) => offsets.has(offset)).map((r) => [r.offset, r.key, r.value]));
            expect(written.filter(({ offset, timestamp }) => timestamp > asOf - lagMs && !offsets.has(offset))).toEqual([]);
            expect(fold(kept)).toEqual(fold(written));
          }
        }), { numRuns: runs });
      });

      it('removes expired records from the front, and tells a reader who had not read them', async () => {
        const name = await topic(expiring());
        await log.append(name, 0, [record('old'), record('old'), record('old')]);
        const { first } = await log.append(name, 0, [record('old')]);
        await harness.pass(2 * lagMs);
        await log.append(name, 0, [record('young')]);
        await eventually(async () => expect((await log.watermarks(name, 0)).low).toBeGreaterThan(first));
        await reopen();
        const { low } = await log.watermarks(name, 0);
        expect(low).toBeGreaterThan(first);
        expect((await readAll(log, name)).every(({ offset, key }) => offset >= low && key !== 'old')).toBe(true);
        await expect(log.read(name, 0, 1n, 10)).rejects.toMatchObject({ code: 'log-position-lost' });
      });
    });

    describe('consume', () => {
      const follow = (name: string, onBatch: (batch: LogBatch) => Promise<void>, from: bigint | ((topic: string, partition: number) => bigint) = 0n, maxRecords = 10) => {
        const abort = new AbortController();
        const ended = log.consume({ group: 'g', topics: [name], resumeAt: typeof from === 'bigint' ? () => from : from, onBatch, signal: abort.signal, maxRecords });
        return { ended, stop: () => (abort.abort(), ended) };
      };

      it('starts where the caller says, follows what is appended, and ends when told', async () => {
        const name = await topic();
        await log.append(name, 0, [record('a'), record('b')]);
        const { first } = await log.append(name, 0, [record('c')]);
        const seen: string[] = [];
        const following = follow(name, async ({ records }) => void seen.push(...records.map(({ key }) => key)), (_, partition) => (partition === 0 ? first : 0n));
        await until(() => seen.length === 1);
        await log.append(name, 1, [record('d')]);
        await until(() => seen.length === 2);
        await log.append(name, 0, [record('e')]);
        await until(() => seen.length === 3);
        await following.stop();
        await log.append(name, 0, [record('f')]);
        await sleep(20);
        expect(seen).toEqual(['c', 'd', 'e']);
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
          const { first } = await log.append(name, n % 2, [record('a'), record('b'), record('c')]);
          sent[n % 2]?.push(first, first + 1n, first + 2n);
        }
        await until(() => seen[0]?.length === 45 && seen[1]?.length === 45);
        await following.stop();
        expect(seen).toEqual(sent);
      });

      it('passes over the gaps that compaction leaves', async () => {
        const name = await topic(compacted());
        for (const [key, value] of [['a', '1'], ['b', '1'], ['a', '2'], ['c', '1'], ['a', '3'], ['b', '2']] as const) await log.append(name, 0, [record(key, value)]);
        await harness.pass(lagMs);
        await eventually(async () => expect(brief(await readAll(log, name))).toHaveLength(3));
        const seen: LogRecord[] = [];
        const following = follow(name, async ({ records }) => void seen.push(...records), 0n, 1);
        await until(() => brief(seen).length === 3);
        await log.append(name, 0, [record('d', '1')]);
        await until(() => brief(seen).length === 4);
        await following.stop();
        expect(brief(seen)).toEqual([['c', '1'], ['a', '3'], ['b', '2'], ['d', '1']]);
      });

      it('calls the handler no more once it is told to end', async () => {
        const name = await topic();
        await Promise.all([log.append(name, 0, [record('a'), record('b')]), log.append(name, 1, [record('c')])]);
        const abort = new AbortController();
        let calls = 0;
        const onBatch = async (): Promise<void> => {
          calls += 1;
          abort.abort();
        };
        await log.consume({ group: 'g', topics: [name], resumeAt: () => 0n, onBatch, signal: abort.signal, maxRecords: 1 });
        expect(calls).toBe(1);
      });

      it('waits for the running handler when it is told to end', async () => {
        const name = await topic();
        await log.append(name, 0, [record('a')]);
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

      it('calls nobody when it was told to end before it began, and ends with the log', async () => {
        const name = await topic();
        await log.append(name, 0, [record('a')]);
        let calls = 0;
        await log.consume({ group: 'g', topics: [name], resumeAt: () => 0n, onBatch: async () => void (calls += 1), signal: AbortSignal.abort() });
        expect(calls).toBe(0);
        const following = follow(name, async () => void (calls += 1));
        await until(() => calls === 1);
        await log.close();
        await following.ended;
      });

      it('delivers again what was not stored, so that a reader who stores position and effect together applies all once', async () => {
        const crashes = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });
        await fc.assert(fc.asyncProperty(crashes, fc.integer({ min: 1, max: 9 }), async (fates, maxRecords) => {
          const name = await topic();
          await log.append(name, 0, Array.from({ length: 25 }, (_, n) => record(`${n}`)));
          const store = { position: 0n, applied: [] as string[] };
          const fate = fates[Symbol.iterator]();
          const attempts = { made: 0 };
          for (let done = false; !done; attempts.made += 1) {
            const following = follow(name, async ({ partition, records, next }) => {
              expect(partition).toBe(0);
              if (fate.next().value === true) throw new Error('crashed');
              store.applied.push(...records.map(({ key }) => key));
              store.position = next;
            }, (_, partition) => (partition === 0 ? store.position : 0n), maxRecords);
            const crashed = await Promise.race([following.ended.then(() => false, (error: Error) => error.message === 'crashed'), until(() => store.applied.length >= 25).then(() => false)]);
            await following.stop().catch((error: unknown) => expect(error).toMatchObject({ message: 'crashed' }));
            done = !crashed;
          }
          expect(store.applied).toEqual(Array.from({ length: 25 }, (_, n) => `${n}`));
        }), { numRuns: runs });
      });
    });

    it('keeps committed positions by group, and reads by none of them', async () => {
      const name = await topic();
      await log.append(name, 0, [record('a'), record('b')]);
      expect(await log.committed('g')).toEqual([]);
      await log.commit('g', [{ topic: name, partition: 0, offset: 1n }, { topic: name, partition: 1, offset: 0n }]);
      await log.commit('g', [{ topic: name, partition: 0, offset: 2n }]);
      await log.commit('h', [{ topic: name, partition: 0, offset: 1n }]);
      await reopen();
      expect(await log.committed('g')).toEqual([{ topic: name, partition: 0, offset: 2n }, { topic: name, partition: 1, offset: 0n }]);
      expect(await log.committed('h')).toEqual([{ topic: name, partition: 0, offset: 1n }]);
      expect(brief(await readAll(log, name))).toHaveLength(2);
    });
  });
}
