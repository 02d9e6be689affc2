import { Failure } from '@ovn-steward/shared/errors';
import type { Log, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog, type SqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { catchUpMirror } from './catch-up';
import { createCollector } from './collect';
import type { LogMirror } from '../mirror/mirror';
import { memoryMirror } from '../mirror/mirror-memory';
import { publishToLog } from './publish-to-log';
import { fullRead, gone, object, type Part, scripted, unavailable } from '../testing/script';

const PARTITION = partitionOf('c', PARTITIONS);
const never = new AbortController().signal;
let log: SqliteLog;
beforeEach(async () => {
  log = openSqliteLog({ file: ':memory:' });
  await log.ensureTopics(TOPICS);
});
afterEach(() => log.close());

const append = (...records: Omit<NewRecord, 'timestamp'>[]): Promise<unknown> =>
  log.append(
    CHANGES,
    PARTITION,
    records.map((it) => ({ timestamp: 1, ...it })),
  );
const report = (mirror: LogMirror, script: Part[], term = 0): Promise<void> =>
  createCollector({
    cluster: 'c',
    sources: [scripted('x', [script])],
    publish: publishToLog(log, 'c'),
    mirror,
    clock: () => new Date(),
    term,
  }).run(never);
const held = (mirror: LogMirror, stream = 's'): Record<string, string> =>
  Object.fromEntries(
    [...mirror.keys(stream)].map(([kind, uid]) => [
      uid,
      mirror.get(stream, kind, uid)!.hash === '' ? 'in doubt' : 'known',
    ]),
  );

it('fills a new mirror with what the log says', async () => {
  const reported = memoryMirror();
  await report(reported, [fullRead({ a: { x: 1 }, b: {} }), [gone('b'), object('c', {})]]);
  const mirror = memoryMirror();
  expect(await catchUpMirror({ log, mirror, cluster: 'c' })).toBe(7);
  expect(held(mirror)).toEqual({ a: 'known', c: 'known' });
  expect(mirror.get('s', 'Pod', 'a')).toEqual(reported.get('s', 'Pod', 'a'));
  expect([mirror.position(), reported.position()]).toEqual([7n, 7n]);
  expect(mirror.positionOf('s')).toMatchObject({ epoch: 1, seq: 6 });
  expect(mirror.streamsOf({ id: 'any', source: 'kubernetes' })).toEqual([
    { stream: 's', kinds: ['Pod'] },
  ]);
});

it('knows a stream that never could be read', async () => {
  await report(memoryMirror(), [[unavailable()]]);
  const mirror = memoryMirror();
  await catchUpMirror({ log, mirror, cluster: 'c' });
  expect(mirror.streamsOf({ id: 'any', source: 'kubernetes' })).toEqual([
    { stream: 's', kinds: ['Pod'] },
  ]);
});

it('reads on where it was, in bounded batches', async () => {
  const mirror = memoryMirror();
  await report(memoryMirror(), [
    fullRead(Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`u${at}`, {}]))),
  ]);
  const reached: bigint[] = [];
  await catchUpMirror({
    log,
    mirror,
    cluster: 'c',
    onProgress: (_read, next) => reached.push(next),
  });
  expect(reached).toEqual([1000n, 1502n]);
  expect(await catchUpMirror({ log, mirror, cluster: 'c' })).toBe(0);
});

const mortalAt = (mirror: LogMirror, settlement: number): LogMirror => ({
  ...mirror,
  commit: (...args) => {
    if (settlement-- === 1) throw new Failure('log-corrupt', 'died');
    mirror.commit(...args);
  },
});

it('commits what a crash kept from being committed', async () => {
  const mirror = memoryMirror();
  await report(mortalAt(mirror, 2), [
    fullRead({ gone: {}, changed: {} }),
    [object('new', {}), object('changed', { x: 2 }), gone('gone')],
  ]).catch(() => undefined);
  const before = mirror.get('s', 'Pod', 'changed')!.hash;
  expect(held(mirror)).toEqual({ gone: 'known', changed: 'known' });
  await catchUpMirror({ log, mirror, cluster: 'c' });
  expect(held(mirror)).toEqual({ changed: 'known', new: 'known' });
  expect(mirror.get('s', 'Pod', 'changed')!.hash).not.toBe(before);
});

it('commits it also behind what another cluster said, and when it was sent twice', async () => {
  const mirror = memoryMirror();
  await append({ key: 'c2/kubernetes/Pod/a', value: null });
  const twice = {
    ...log,
    append: async (...args: Parameters<Log['append']>) => {
      await log.append(...args);
      return log.append(...args);
    },
  };
  await createCollector({
    cluster: 'c',
    sources: [scripted('x', [[fullRead({ a: {}, b: {} }), [gone('a'), object('c', {})]]])],
    publish: publishToLog(twice, 'c'),
    mirror: mortalAt(mirror, 2),
    clock: () => new Date(),
  })
    .run(never)
    .catch(() => undefined);
  expect([mirror.position(), held(mirror)]).toEqual([0n, { a: 'known', b: 'known' }]);
  await catchUpMirror({ log, mirror, cluster: 'c' });
  expect(Object.keys(held(mirror)).sort()).toEqual(['b', 'c']);
});

it.each([
  ['lost its beginning', 'before'],
  ['was replaced by a shorter one', 'beyond'],
])('begins again when the log %s', async (_what, where) => {
  const mirror = memoryMirror();
  mirror.commit('s', [{ kind: 'Pod', uid: 'old', entry: { hash: 'h', name: 'n' } }]);
  mirror.openEpoch('s', { id: 'x', source: 'kubernetes' }, ['Pod'], 70);
  mirror.fold(where === 'before' ? 1n : 99n, () => undefined);
  await report(memoryMirror(), [fullRead({ a: {} })]);
  const lost: Log['read'] = (topic, partition, from, max) =>
    from === 1n
      ? Promise.reject(new Failure('log-position-lost', 'gone'))
      : log.read(topic, partition, from, max);
  await catchUpMirror({ log: { ...log, read: lost }, mirror, cluster: 'c' });
  expect(held(mirror)).toEqual({ a: 'known' });
  expect(mirror.openEpoch('s', { id: 'x', source: 'kubernetes' }, ['Pod'], 0)).toBe(71);
});

it('leaves other clusters alone, also those whose names begin alike', async () => {
  const value = JSON.stringify({ any: 'thing' });
  await append(
    { key: 'c2/kubernetes/Pod/a', value },
    { key: 'cc/kubernetes/Pod/a', value: null },
    { key: 'c', value: 'x' },
    { key: '', value: null },
  );
  const mirror = memoryMirror();
  await catchUpMirror({ log, mirror, cluster: 'c' });
  expect([
    mirror.position(),
    held(mirror),
    mirror.streamsOf({ id: 'x', source: 'kubernetes' }),
  ]).toEqual([4n, {}, []]);
});

it.each<[string, Omit<NewRecord, 'timestamp'>]>([
  ['is cut off', { key: 'c/kubernetes/Pod/a', value: '{"type":"put"' }],
  [
    'is of a type nobody knows',
    { key: 'c/kubernetes/Pod/a', value: '{"type":"renamed","version":1}' },
  ],
  [
    'lies under another key than its own',
    {
      key: 'c/kubernetes/Pod/a',
      value: JSON.stringify({
        type: 'delete',
        version: 1,
        id: 'i',
        cluster: 'c',
        source: 'kubernetes',
        stream: 's',
        epoch: 99,
        seq: 1,
        cursor: '',
        observedAt: '1970-01-01T00:00:00Z',
        kind: 'Pod',
        uid: 'b',
        name: 'b',
      }),
    },
  ],
  [
    'is of an epoch nobody can have yet',
    {
      key: 'c/kubernetes/Pod/a',
      value: JSON.stringify({
        type: 'delete',
        version: 1,
        id: 'i',
        cluster: 'c',
        source: 'kubernetes',
        stream: 's',
        epoch: Number.MAX_SAFE_INTEGER,
        seq: 1,
        cursor: '',
        observedAt: '1970-01-01T00:00:00Z',
        kind: 'Pod',
        uid: 'a',
        name: 'a',
      }),
    },
  ],
  ['is a tombstone of unknown origin', { key: 'c/kubernetes/Pod/a', value: null }],
  [
    'is a tombstone with a broken header',
    { key: 'c/kubernetes/Pod/a', value: null, headers: { stream: 's', epoch: 'x', seq: '1' } },
  ],
])('doubts what a record is about that %s', async (_what, record) => {
  await report(memoryMirror(), [fullRead({ a: {}, b: {} })]);
  await append(record);
  const mirror = memoryMirror();
  await catchUpMirror({ log, mirror, cluster: 'c' });
  expect(held(mirror)).toEqual({ a: 'in doubt', b: 'known' });
  expect(mirror.get('s', 'Pod', 'a')?.name).toBe('name-a');
  expect(mirror.positionOf('s')?.opened).toBe(1);
});

it.each([
  ['epoch', { epoch: Number.MAX_SAFE_INTEGER }],
  ['time', { epoch: 99, observedThrough: '9999-12-31T23:59:59Z' }],
])('goes on with the next epoch after a heartbeat of an %s nobody can have yet', async (_, of) => {
  await report(memoryMirror(), [fullRead({ a: {} })]);
  const observed = '1970-01-01T00:00:00Z';
  const heartbeat = {
    type: 'heartbeat',
    version: 1,
    id: 'i',
    cluster: 'c',
    source: 'kubernetes',
    stream: 's',
    seq: 1,
    cursor: '',
    observedAt: observed,
    observedThrough: observed,
  };
  await append({
    key: 'c/kubernetes/_heartbeat/s',
    value: JSON.stringify({ ...heartbeat, ...of }),
  });
  const mirror = memoryMirror();
  await catchUpMirror({ log, mirror, cluster: 'c' });
  expect(mirror.openEpoch('s', { id: 'x', source: 'kubernetes' }, ['Pod'], 0)).toBe(2);
});

it('doubts what it never heard of where such things are', async () => {
  await append(
    { key: 'c/kubernetes/Pod/x/y', value: '?' },
    { key: 'c/ovn-nb/Logical_Switch/z', value: '?' },
    { key: 'c/kubernetes/_heartbeat/kubernetes/Pod', value: '?' },
    { key: 'c/elsewhere/Thing/t', value: '?' },
    { key: 'c/kubernetes/Pod', value: '?' },
  );
  const mirror = memoryMirror();
  await catchUpMirror({ log, mirror, cluster: 'c' });
  expect([held(mirror, 'kubernetes/Pod'), held(mirror, 'ovn-nb')]).toEqual([
    { 'x/y': 'in doubt' },
    { z: 'in doubt' },
  ]);
});

it('doubts what a replaced collector published after it', async () => {
  const zombie = memoryMirror();
  await report(zombie, [fullRead({ a: {}, b: {} })], 1);
  await report(memoryMirror(), [fullRead({ a: {}, b: {} })], 2);
  const records = (await log.read(CHANGES, PARTITION, 0n, 10)).records;
  await append(
    ...records.filter((it) => it.key.endsWith('/a') || it.key.includes('_snapshot')).slice(0, 3),
  );
  const mirror = memoryMirror();
  await catchUpMirror({ log, mirror, cluster: 'c' });
  expect(held(mirror)).toEqual({ a: 'in doubt', b: 'known' });
  expect(mirror.positionOf('s')).toMatchObject({ epoch: 2 ** 33, opened: 2 ** 33 });
});

it('does not doubt what was sent twice, but what was sent again by hand', async () => {
  await report(memoryMirror(), [fullRead({ a: {}, b: {} }), [gone('b')]]);
  const records = (await log.read(CHANGES, PARTITION, 0n, 10)).records.slice(1);
  await append(...records);
  const mirror = memoryMirror();
  await catchUpMirror({ log, mirror, cluster: 'c' });
  expect(held(mirror)).toEqual({ a: 'known', b: 'in doubt' }); // it was published, deleted, and published: a reader of the compacted log may not know which
  await append({ ...records[0]!, headers: { 'replay-of': 'letter' } });
  await catchUpMirror({ log, mirror, cluster: 'c' });
  expect(held(mirror)).toEqual({ a: 'in doubt', b: 'in doubt' });
});

it('stops between two batches when it is asked to', async () => {
  await append(...Array.from({ length: 2500 }, () => ({ key: 'c2/x', value: 'x' })));
  const mirror = memoryMirror();
  const stop = new AbortController();
  await expect(
    catchUpMirror({ log, mirror, cluster: 'c', onProgress: () => stop.abort() }, stop.signal),
  ).rejects.toThrow();
  expect(mirror.position()).toBe(1000n);
});
