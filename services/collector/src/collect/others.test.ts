import { Failure } from '@ovn-steward/shared/errors';
import { lastEpoch } from '@ovn-steward/contracts/changes/change-bounds';
import { changeKey } from '@ovn-steward/contracts/changes/change';
import type { Log, LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog, type SqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { type CollectorEvent, createCollector, firstEpochOf } from './collect';
import { memoryMirror } from '../mirror/mirror-memory';
import { OthersWatch } from './others';
import { publishToLog } from './publish-to-log';
import type { Source } from '../source-kit/source';
import { changesIn, contentsIn, fold, recordsIn } from '../testing/fold';
import { type Contents, fullRead, object } from '../testing/script';

const PARTITION = partitionOf('c', PARTITIONS);
const AT = new Date('2026-01-01T00:00:00Z');
let log: SqliteLog;
beforeEach(async () => {
  log = openSqliteLog({ file: ':memory:', now: () => AT.getTime() });
  await log.ensureTopics(TOPICS);
});
afterEach(() => log.close());

const reading = (
  world: Contents,
  between: () => Promise<unknown>,
  after: Contents = {},
): Source => {
  let reads = 0;
  return {
    id: 'x',
    source: 'kubernetes',
    streams: ['s'],
    async *observe() {
      reads += 1;
      yield fullRead(world);
      if (reads > 1) return;
      await between();
      for (const [uid, it] of Object.entries(after)) yield [object(uid, it)];
    },
  };
};

interface Run {
  readonly term?: number;
  readonly everyMs?: number;
  readonly monotonic?: () => number;
  readonly read?: Log['read'];
  readonly troubles?: string[];
  readonly events?: CollectorEvent[];
}

function collect(
  sources: Source[],
  {
    term = 2,
    everyMs = 0,
    monotonic = () => 0,
    read = log.read,
    troubles = [],
    events = [],
  }: Run = {},
  mirror = memoryMirror(),
): Promise<void> {
  const others = new OthersWatch({
    mirror,
    log: { read },
    cluster: 'c',
    firstEpoch: firstEpochOf(term),
    now: () => AT.getTime(),
    everyMs,
    monotonic,
    onFailed: (it) => troubles.push(it),
  });
  return createCollector({
    cluster: 'c',
    sources,
    publish: publishToLog(log, 'c'),
    mirror: others.mirror,
    disturbed: (published) => others.disturbed(published),
    clock: () => AT,
    backOff: () => 0,
    term,
    onEvent: (it) => events.push(it),
  }).run(new AbortController().signal);
}

const records = (): Promise<LogRecord[]> => recordsIn(log, CHANGES, PARTITION);
const types = async (): Promise<string[]> =>
  changesIn(await records(), 'c').map((it) => ('uid' in it ? `${it.type} ${it.uid}` : it.type));
async function contentsAfterCompaction(): Promise<unknown> {
  for (const days of [3, 11]) while (log.compact(AT.getTime() + days * 86_400_000).more);
  const folded = fold(changesIn(await records(), 'c'));
  expect([...folded.disagreeing]).toEqual([]);
  return contentsIn(folded);
}

/** What a collector of another term published of another world, to be appended at a later time. */
async function earlier(world: Contents, term: number): Promise<() => Promise<unknown>> {
  const elsewhere = openSqliteLog({ file: ':memory:', now: () => AT.getTime() });
  await elsewhere.ensureTopics(TOPICS);
  await createCollector({
    cluster: 'c',
    sources: [reading(world, async () => undefined)],
    publish: publishToLog(elsewhere, 'c'),
    mirror: memoryMirror(),
    clock: () => AT,
    term,
  }).run(new AbortController().signal);
  const reported = (await recordsIn(elsewhere, CHANGES, PARTITION)).filter(
    (it) => it.value !== null && it.key.includes('/Pod/'),
  );
  await elsewhere.close();
  return () => log.append(CHANGES, PARTITION, reported);
}

it.each([1, 2])(
  'stops at a record whose epoch is %i beyond its own: another collector was given the turn',
  async (beyond) => {
    const ahead = async (): Promise<void> => {
      const [own] = changesIn(await records(), 'c').filter(({ type }) => type === 'put');
      const change = { ...own!, id: 'ahead', epoch: own!.epoch + beyond, seq: 1 };
      await log.append(CHANGES, PARTITION, [
        { key: changeKey(change), value: JSON.stringify(change), timestamp: AT.getTime() },
      ]);
    };
    await expect(collect([reading({ a: {} }, ahead, { b: {} })])).rejects.toMatchObject({
      code: 'leadership-lost',
    });
  },
);

it('reads again what a replaced collector still published, so that readers find the truth under every key', async () => {
  const zombie = await earlier({ a: { old: 1 }, vanished: {} }, 1);
  const events: CollectorEvent[] = [];
  await collect([reading({ a: { x: 1 }, b: {} }, zombie, { c: {} })], { events });
  expect(await types()).toEqual([
    'snapshot-begin',
    'put a',
    'put b',
    'snapshot-end',
    'put a',
    'put vanished',
    'put c',
    'snapshot-begin',
    'put a',
    'delete c',
    'delete vanished',
    'snapshot-end',
  ]);
  expect(events.filter((it) => it.type === 'source-failed')).toMatchObject([
    {
      retryInMs: 0,
      error: 'Another process published changes of s meanwhile: the source is read again.',
    },
  ]);
  expect(await contentsAfterCompaction()).toEqual({ a: { x: 1 }, b: {} });
});

it('stops when a newer collector is at work', async () => {
  const successor = await earlier({ a: {} }, 3);
  await expect(collect([reading({ a: {} }, successor, { c: {} })])).rejects.toMatchObject({
    code: 'leadership-lost',
  });
});

it.each<[string, object]>([
  ['in its own epoch, beyond what it said itself', { seq: 1000 }],
  ['of an epoch nobody can have yet', { epoch: Number.MAX_SAFE_INTEGER }],
])(
  'reads again a stream of which somebody published news %s, so that nobody stays blind',
  async (_, of) => {
    const forged = async (): Promise<unknown> => {
      const begin = changesIn(await records(), 'c').find((it) => it.type === 'snapshot-end')!;
      return log.append(CHANGES, PARTITION, [
        {
          key: changeKey(begin),
          value: JSON.stringify({ ...begin, ...of }),
          timestamp: AT.getTime(),
        },
      ]);
    };
    await collect([reading({ a: {} }, forged, { b: {} })]);
    expect((await types()).filter((it) => it === 'snapshot-begin')).toHaveLength(2);
    const last = changesIn(await records(), 'c').at(-1)!;
    expect([last.type, last.epoch]).toEqual(['snapshot-end', firstEpochOf(2) + 1]);
  },
);

it('publishes nothing in an epoch that readers would refuse', async () => {
  const mirror = memoryMirror();
  mirror.openEpoch('s', { id: 'x', source: 'kubernetes' }, ['Pod'], lastEpoch(AT.getTime()));
  await expect(
    collect([reading({ a: {} }, async () => undefined)], {}, mirror),
  ).rejects.toMatchObject({ code: 'log-unavailable', retry: 'later' });
  expect(await records()).toEqual([]);
});

it('is not stopped by what other clusters publish in the same partition, and reads no more often than it should', async () => {
  const noise = (): Promise<unknown> =>
    log.append(CHANGES, PARTITION, [{ key: 'c2/kubernetes/Pod/a', value: '{}', timestamp: 1 }]);
  let reads = 0;
  let time = 0;
  const read: Log['read'] = (...args) => {
    reads += 1;
    return log.read(...args);
  };
  const mirror = memoryMirror();
  const source: Source = {
    id: 'x',
    source: 'kubernetes',
    streams: ['s'],
    async *observe() {
      yield fullRead({});
      for (const uid of ['a', 'b', 'c', 'd']) {
        await noise();
        time += 6;
        yield [object(uid, {})];
      }
    },
  };
  await collect([source], { read, everyMs: 10, monotonic: () => time }, mirror);
  expect(reads).toBe(2);
  expect((await types()).filter((it) => it === 'snapshot-begin')).toHaveLength(1);
  expect(mirror.position()).toBe(8n); // the end but for what the next read, or the next start, will find
});

it('takes a retry whose first attempt had arrived for what it is', async () => {
  const twice = {
    append: async (...args: Parameters<Log['append']>) => {
      await log.append(...args);
      return log.append(...args);
    },
  };
  const mirror = memoryMirror();
  const others = new OthersWatch({
    mirror,
    log,
    cluster: 'c',
    firstEpoch: 0,
    now: () => AT.getTime(),
    everyMs: 0,
    monotonic: () => 0,
    onFailed: () => undefined,
  });
  await createCollector({
    cluster: 'c',
    sources: [reading({ a: {}, b: {} }, async () => undefined, { a: { x: 1 } })],
    publish: publishToLog(twice, 'c'),
    mirror: others.mirror,
    disturbed: (published) => others.disturbed(published),
    clock: () => AT,
  }).run(new AbortController().signal);
  expect((await types()).filter((it) => it === 'snapshot-begin')).toHaveLength(2); // the one, sent twice
  expect(
    [...mirror.keys('s')].map(([kind, uid]) => mirror.get('s', kind, uid)?.hash),
  ).not.toContain('');
  expect(mirror.position()).toBe((await log.watermarks(CHANGES, PARTITION)).high);
});

it('puts right what a late attempt of its own turned back', async () => {
  const late = async (): Promise<unknown> =>
    log.append(
      CHANGES,
      PARTITION,
      (await records()).filter((it) => it.key.endsWith('/a')),
    );
  const source: Source = {
    id: 'x',
    source: 'kubernetes',
    streams: ['s'],
    async *observe() {
      yield fullRead({ a: { x: 2 }, b: {} });
      if ((await records()).length > 9) return;
      yield [object('a', { x: 3 })];
      await late();
      yield [object('a', { x: 2 })];
      await late();
      yield [object('b', { y: 1 })];
    },
  };
  await collect([source]);
  expect(await contentsAfterCompaction()).toEqual({ a: { x: 2 }, b: {} });
});

it('doubts what nobody can read, and publishes it again', async () => {
  const broken = (): Promise<unknown> =>
    log.append(CHANGES, PARTITION, [{ key: 'c/kubernetes/Pod/a', value: '{', timestamp: 1 }]);
  await collect([reading({ a: {}, b: {} }, broken, { c: {} })]);
  expect((await types()).filter((it) => it === 'put a')).toHaveLength(2);
  expect(await contentsAfterCompaction()).toEqual({ a: {}, b: {} });
});

it('reports that it cannot read, and reads again', async () => {
  const troubles: string[] = [];
  let failures = 1;
  const read: Log['read'] = (...args) =>
    failures-- > 0 ? Promise.reject(new Failure('log-unavailable', 'away')) : log.read(...args);
  const zombie = await earlier({ vanished: {} }, 1);
  await collect([reading({ a: {} }, zombie, { b: {}, c: {} })], { read, troubles });
  expect(troubles).toEqual(['away']);
  expect(await contentsAfterCompaction()).toEqual({ a: {} });
});

it('knows one who was replaced where it has not begun itself', async () => {
  const zombie = await earlier({ vanished: {} }, 1);
  let reads = 0;
  const source: Source = {
    id: 'x',
    source: 'kubernetes',
    streams: ['s'],
    async *observe() {
      reads += 1;
      yield fullRead({}).map((it) => ({ ...it, stream: 't' }));
      await zombie();
      yield [{ ...object('first', {}), stream: 't' }];
      yield fullRead({ a: {} });
    },
  };
  await collect([source]);
  expect(reads).toBe(1);
  expect(await types()).toEqual([
    'snapshot-begin',
    'snapshot-end',
    'put vanished',
    'put first',
    'snapshot-begin',
    'put a',
    'delete vanished',
    'snapshot-end',
  ]);
  expect(await contentsAfterCompaction()).toEqual({ a: {} });
});

it('finds a late attempt among much of its own', async () => {
  let time = 0;
  const source: Source = {
    id: 'x',
    source: 'kubernetes',
    streams: ['s'],
    async *observe() {
      yield fullRead({ a: {} });
      if (time > 0) return;
      await log.append(CHANGES, PARTITION, [{ key: 'c2/x', value: 'x', timestamp: 1 }]);
      yield [object('b', {})]; // reads
      await log.append(CHANGES, PARTITION, [{ key: 'c2/x', value: 'x', timestamp: 1 }]);
      yield [object('a', { x: 1 })];
      const [late] = (await records()).slice(-1);
      yield [object('a', {})];
      await log.append(CHANGES, PARTITION, [late!]);
      time = 10;
      yield [object('c', {})]; // reads
    },
  };
  await collect([source], { everyMs: 10, monotonic: () => time });
  expect(await contentsAfterCompaction()).toEqual({ a: {} });
});

it('reads the other source again, too, if it was its stream', async () => {
  const zombie = await earlier({ a: { old: 1 } }, 1);
  let found = (): void => undefined;
  const untilFound = new Promise<void>((resolve) => {
    found = resolve;
  });
  let begun = (): void => undefined;
  const untilBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const quiet: Source = {
    id: 'quiet',
    source: 'kubernetes',
    streams: ['s'],
    async *observe() {
      yield fullRead({ a: { x: 1 } });
      begun();
      await untilFound;
      yield [object('a', { x: 1 })];
    },
  };
  const busy: Source = {
    id: 'busy',
    source: 'ovn-nb',
    streams: ['s'],
    async *observe() {
      yield fullRead({}).map((it) => ({ ...it, stream: 't' }));
      await untilBegun;
      await zombie();
      yield [{ ...object('b', {}), stream: 't' }];
      found();
    },
  };
  await collect([quiet, busy]);
  expect((await types()).filter((it) => it === 'snapshot-begin')).toHaveLength(3);
  expect(await contentsAfterCompaction()).toEqual({ a: { x: 1 } });
});
