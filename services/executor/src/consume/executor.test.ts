import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { DeadLetter } from '@ovn-steward/contracts/dead-letters/dead-letter';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log, LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { DEAD_LETTER, FINDINGS, TOPICS } from '@ovn-steward/shared/log/topics';
import { until } from '@ovn-steward/shared/testing/until';
import {
  createExecutor,
  type Executor,
  type ExecutorEvent,
  type ExecutorOptions,
} from './executor';
import { type StateFile, openStateFile } from '@ovn-steward/shared/log/state-file';
import { ExecutorStore } from '../store/executor-store';
import { CLUSTER, finding, NOW, PARTITION, published } from '../testing/findings';

let directory: string;
let log: Log;
let file: StateFile;
let store: ExecutorStore;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'executor-'));
  log = openSqliteLog({ file: join(directory, 'log.db') });
  await log.ensureTopics(TOPICS);
  store = new ExecutorStore((file = openStateFile(join(directory, 'executor.db'))));
});

afterEach(async () => {
  file.close();
  await log.close();
  rmSync(directory, { recursive: true });
});

interface Running {
  readonly executor: Executor;
  readonly events: readonly ExecutorEvent[];
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  /** Waits until everything appended so far is applied, or the run is over. */
  caughtUp(): Promise<void>;
}

function start(more: Partial<ExecutorOptions> = {}): Running {
  const events: ExecutorEvent[] = [];
  const abort = new AbortController();
  const executor = createExecutor({
    log,
    store,
    clock: () => NOW,
    backOff: () => 5,
    ...more,
    onEvent: (it) => void events.push(it),
  });
  const ended = executor.run(abort.signal);
  let over = false;
  ended.catch(() => undefined).finally(() => (over = true));
  const stop = (): Promise<void> => {
    abort.abort();
    return ended;
  };
  const caughtUp = async (): Promise<void> => {
    const { high } = await log.watermarks(FINDINGS, PARTITION);
    await until(
      () =>
        over ||
        (executor.reading() &&
          executor
            .followed()
            .some(({ partition, next }) => partition === PARTITION && next >= high)),
    );
  };
  return { executor, events, ended, stop, caughtUp };
}

const publish = async (...records: NewRecord[]): Promise<bigint> =>
  (await log.append(FINDINGS, PARTITION, records)).first;
const garbage = (key = 'k', value = 'no finding'): NewRecord => ({
  key,
  value,
  timestamp: NOW.getTime(),
});

async function letters(): Promise<DeadLetter[]> {
  const { records } = await log.read(DEAD_LETTER, PARTITION, 0n, 10_000);
  return records.map((it) => DeadLetter.parse(JSON.parse(String(it.value))));
}

const names = (executor: Executor): string[] => executor.proposals().map((it) => it.subject.name);
const failed = (events: readonly ExecutorEvent[]): string[] =>
  events.flatMap((it) => (it.type === 'read-failed' ? [it.error] : []));

test('knows what it would propose, and what no longer', async () => {
  const resolved: Finding = {
    ...finding('b'),
    state: 'resolved',
    revision: 3,
    resolvedAt: NOW.toISOString(),
  };
  await publish(
    published(finding('a')),
    published(finding('b')),
    published(finding('c', { state: 'suspected' })),
    published(finding('d', { remedy: null })),
  );
  const running = start();
  await running.caughtUp();
  expect(names(running.executor).sort()).toEqual(['a', 'b']);
  await publish(published(resolved));
  await running.caughtUp();
  expect(names(running.executor)).toEqual(['a']);
  expect(running.executor.counts()).toEqual([
    { cluster: CLUSTER, rule: 'orphaned-logical-switch-port', count: 1 },
  ]);
  await publish({ key: finding('a').id, value: null, timestamp: NOW.getTime() });
  await running.caughtUp();
  expect(names(running.executor)).toEqual([]);
  expect(running.executor.reading()).toBe(true);
  await running.stop();
  expect(await log.committed('steward-executor')).toEqual(
    expect.arrayContaining([
      { topic: FINDINGS, partition: PARTITION, offset: store.position(PARTITION)?.next },
    ]),
  );
  expect((await log.watermarks(DEAD_LETTER, PARTITION)).high).toBe(0n);
});

test('reports of each batch what it changed', async () => {
  const first = await publish(
    published(finding('a')),
    garbage(),
    published(finding('n', { class: 'new' as never })),
  );
  const running = start();
  await running.caughtUp();
  await until(() => running.events.some((it) => it.type === 'batch'));
  expect(running.events.find((it) => it.type === 'batch')).toEqual({
    type: 'batch',
    partition: PARTITION,
    first,
    last: first + 2n,
    records: 3,
    deadLetters: 1,
    newer: 1,
    seconds: expect.any(Number),
    proposed: [finding('a')],
    withdrawn: [],
  });
  expect(running.events).toContainEqual({ type: 'assigned', partition: PARTITION, from: 0n });
  expect(running.executor.followed()).toContainEqual({ partition: PARTITION, next: first + 3n });
  await running.stop();
});

test('sets aside what is no finding, whole, and goes on', async () => {
  const first = await publish(garbage('poison', '{"id":1}'), published(finding('a')));
  const running = start();
  await running.caughtUp();
  expect(await letters()).toEqual([
    {
      version: 1,
      id: `${FINDINGS}/${PARTITION}/${first}`,
      topic: FINDINGS,
      partition: PARTITION,
      offset: String(first),
      key: 'poison',
      headers: {},
      value: Buffer.from('{"id":1}').toString('base64'),
      truncated: false,
      by: 'executor',
      at: NOW.toISOString(),
      why: expect.stringMatching(/^not a finding/),
    },
  ]);
  expect(names(running.executor)).toEqual(['a']);
  await running.stop();
});

test('goes on where it was, after a restart', async () => {
  await publish(published(finding('a')));
  const before = start();
  await before.caughtUp();
  await before.stop();
  const first = await publish(published(finding('b')));
  const after = start();
  await after.caughtUp();
  expect(after.events).toContainEqual({ type: 'assigned', partition: PARTITION, from: first });
  await until(() => after.events.some((it) => it.type === 'batch'));
  expect(after.events.flatMap((it) => (it.type === 'batch' ? [it.records] : []))).toEqual([1]);
  expect(names(after.executor).sort()).toEqual(['a', 'b']);
  await after.stop();
});

test.each(['log-unavailable', 'log-partition-lost'] as const)(
  '%s passes: it waits, tries again, and proposes meanwhile what it knew',
  async (code) => {
    await publish(published(finding('a')));
    let failures = 0;
    let down = false;
    const flaky: Log = {
      ...bound(log),
      commit: async (group, positions) => {
        if (down && (failures += 1) <= 2) throw new Failure(code, 'for a while');
        await log.commit(group, positions);
      },
    };
    const seen: string[][] = [];
    const running = start({
      log: flaky,
      backOff: (attempt) => {
        seen.push(names(running.executor));
        return attempt;
      },
    });
    await running.caughtUp();
    down = true;
    await publish(published(finding('b')));
    await publish(published(finding('c')));
    await until(() => failures >= 2);
    await running.caughtUp();
    await until(() => running.executor.reading());
    expect(failed(running.events)).toEqual(
      ['for a while', 'for a while'].slice(0, failed(running.events).length),
    );
    expect(seen[0]).toContain('a');
    expect(names(running.executor).sort()).toEqual(['a', 'b', 'c']);
    await running.stop();
  },
);

test('a failure that will not pass ends it, and so does an error nobody knows', async () => {
  await publish(published(finding('a')));
  const refusing = (error: Error): Log => ({ ...bound(log), commit: () => Promise.reject(error) });
  await expect(
    start({ log: refusing(new Failure('log-topic-unknown', 'gone')) }).ended,
  ).rejects.toThrow('gone');
  store.forget();
  await expect(start({ log: refusing(new Error('a bug')) }).ended).rejects.toThrow('a bug');
});

test('asked to stop while the log is away, it ends', async () => {
  const away: Log = {
    ...bound(log),
    consume: () => Promise.reject(new Failure('log-unavailable', 'away')),
  };
  const running = start({ log: away, backOff: () => 60_000 });
  await until(() => failed(running.events).length === 1);
  await running.stop();
});

test('a position the log no longer has: everything is forgotten and read again', async () => {
  await publish(published(finding('a')));
  store.apply({
    partition: PARTITION,
    steps: [{ stands: finding('ghost'), proposal: finding('ghost') as never }],
    next: 999n,
    at: NOW.getTime(),
  });
  const running = start();
  await until(() => names(running.executor).join() === 'a');
  expect(running.events.find((it) => it.type === 'rebuilding')).toMatchObject({
    partitions: 'all',
  });
  await running.stop();
});

test('away longer than tombstones stay: that partition is read again', async () => {
  await publish(published(finding('a')));
  const old = NOW.getTime() - 31 * 24 * 3_600_000;
  store.apply({
    partition: PARTITION,
    steps: [{ stands: finding('ghost'), proposal: finding('ghost') as never }],
    next: 1n,
    at: old,
  });
  const running = start();
  await until(() => names(running.executor).join() === 'a');
  expect(running.events.find((it) => it.type === 'rebuilding')).toMatchObject({
    partitions: [PARTITION],
    why: expect.stringContaining('2026-01-30'),
  });
  await running.stop();
});

/** A log of the same behaviour whose methods may be replaced one by one. */
const bound = (inner: Log): Log => ({
  ensureTopics: (specs) => inner.ensureTopics(specs),
  append: (topic, partition, records) => inner.append(topic, partition, records),
  read: (topic, partition, from, max) => inner.read(topic, partition, from, max),
  consume: (options) => inner.consume(options),
  commit: (group, positions) => inner.commit(group, positions),
  committed: (group) => inner.committed(group),
  watermarks: (topic, partition) => inner.watermarks(topic, partition),
  close: () => inner.close(),
});

describe('killed at any moment', () => {
  class Crash extends Error {}

  /** Dies at the `at`-th call that changes something, before or after it took effect. */
  function mortal(at: number, before: boolean): Log {
    let calls = 0;
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      calls += 1;
      if (calls === at && before) throw new Crash();
      const done = await work();
      if (calls === at) throw new Crash();
      return done;
    };
    return {
      ...bound(log),
      append: (topic, partition, records) => step(() => log.append(topic, partition, records)),
      commit: (group, positions) => step(() => log.commit(group, positions)),
      consume: (options) => log.consume({ ...options, maxRecords: 3 }),
    };
  }

  /**
   * What the log says, without regard to batches: the highest revision of each finding since
   * its tombstone.
   */
  function modelOf(records: readonly LogRecord[]): string[] {
    const newest = new Map<string, Finding>();
    for (const { key, value } of records) {
      if (value === null) newest.delete(key);
      else if (String(value).startsWith('{"specversion"')) {
        const { data } = JSON.parse(String(value)) as { data: Finding };
        if (data.revision >= (newest.get(key)?.revision ?? 0)) newest.set(key, data);
      }
    }
    return [...newest.values()]
      .filter((it) => it.state === 'confirmed' && it.remedy !== null)
      .map((it) => `${it.id} ${it.revision}`);
  }

  const port = fc.constantFrom('a', 'b', 'c');
  const record = fc.oneof(
    fc
      .record({
        port,
        revision: fc.integer({ min: 1, max: 5 }),
        state: fc.constantFrom('suspected', 'confirmed', 'resolved'),
      })
      .map((report) =>
        published(
          finding(report.port, {
            state: report.state as Finding['state'],
            revision: report.revision,
            resolvedAt: report.state === 'resolved' ? NOW.toISOString() : null,
          }),
        ),
      ),
    port.map((it): NewRecord => ({ key: finding(it).id, value: null, timestamp: NOW.getTime() })),
    fc.constant(garbage()),
  );
  const deaths = fc.array(fc.record({ at: fc.integer({ min: 1, max: 6 }), before: fc.boolean() }), {
    maxLength: 4,
  });

  test('it proposes what the log says, and has set aside every poison record under one id', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 25, size: 'max' }),
        deaths,
        async (records, lives) => {
          const from = (await log.watermarks(FINDINGS, PARTITION)).high;
          await publish(
            ...['a', 'b', 'c'].map((name) => ({
              key: finding(name).id,
              value: null,
              timestamp: NOW.getTime(),
            })),
            ...records,
          );
          for (const { at, before } of lives) {
            const life = start({ log: mortal(at, before) });
            await Promise.race([life.caughtUp(), life.ended.catch(() => undefined)]);
            await life.stop().catch((error: unknown) => expect(error).toBeInstanceOf(Crash));
            file.close();
            store = new ExecutorStore((file = openStateFile(file.path)));
          }
          const last = start();
          await last.caughtUp();
          const written = (await log.read(FINDINGS, PARTITION, from, 10_000)).records;
          expect(
            last.executor
              .proposals()
              .map((it) => `${it.id} ${it.revision}`)
              .sort(),
          ).toEqual(modelOf(written).sort());
          const poison = written
            .filter(({ value }) => String(value) === 'no finding')
            .map(({ offset }) => `${FINDINGS}/${PARTITION}/${offset}`);
          const set = new Set(
            (await letters())
              .map(({ id }) => id)
              .filter((id) => BigInt(id.split('/')[2] ?? '') >= from),
          );
          expect([...set].sort()).toEqual(poison.sort());
          await last.stop();
        },
      ),
      { numRuns: 50 },
    );
  });
});

test('nothing is acted on before all findings are read that stood when the cluster was given', async () => {
  for (let n = 0; n < 20; n += 1)
    await publish(...Array.from({ length: 100 }, (_, i) => published(finding(`port-${n}-${i}`))));
  let seen: number | undefined;
  const running = start({
    acting: {
      cluster: CLUSTER,
      act: () => Promise.resolve(void (seen = store.proposals([PARTITION]).length)),
    },
  });
  await until(() => seen !== undefined);
  expect(seen).toBe(2000);
  await running.stop();
});
