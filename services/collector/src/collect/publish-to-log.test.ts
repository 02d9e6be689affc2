import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Change } from '@ovn-steward/contracts/changes/change';
import { DeadLetter } from '@ovn-steward/contracts/dead-letters/dead-letter';
import { Failure } from '@ovn-steward/shared/errors';
import type { AppendAck, Log, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, DEAD_LETTER, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { type CollectorEvent, createCollector } from './collect';
import { collectIntoLog } from './collect-into-log';
import type { LogMirror } from '../mirror/mirror';
import { memoryMirror } from '../mirror/mirror-memory';
import { publishToLog } from './publish-to-log';
import type { Observation } from '../source-kit/source';
import { changesIn, contentsOf, recordsIn } from '../testing/fold';
import { begin, complete, fullRead, gone, object, type Part, scripted } from '../testing/script';

const PARTITION = partitionOf('c', PARTITIONS);
const folder = mkdtempSync(join(tmpdir(), 'publish-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('writes what a reader of the log can fold, deletions with their tombstone', async () => {
  const log = openSqliteLog({ file: join(folder, 'log.db') });
  await log.ensureTopics(TOPICS);
  const sources = [scripted('x', [[fullRead({ a: { x: 1 }, b: {} }), [gone('b')]]])];
  await createCollector({
    cluster: 'c',
    sources,
    publish: publishToLog(log, 'c'),
    mirror: memoryMirror(),
    clock: () => new Date(),
  }).run(new AbortController().signal);

  const { records } = await log.read(CHANGES, PARTITION, 0n, 100);
  expect(records.map((it) => it.key)).toEqual([
    'c/kubernetes/_snapshot-begin/s',
    'c/kubernetes/Pod/a',
    'c/kubernetes/Pod/b',
    'c/kubernetes/_snapshot-end/s',
    'c/kubernetes/Pod/b',
    'c/kubernetes/Pod/b',
  ]);
  const changes = records.flatMap((it) =>
    it.value ? [Change.parse(JSON.parse(it.value.toString()))] : [],
  );
  expect(contentsOf(changes)).toEqual({ a: { x: 1 } });
  const [deletion, tombstone] = records.slice(-2);
  expect(tombstone).toMatchObject({
    value: null,
    headers: { stream: 's', epoch: '1', seq: '5', id: changes.at(-1)?.id },
  });
  expect(deletion?.headers).toEqual(tombstone?.headers);
  await log.close();
});

it('writes the same whether the object was written before or not', async () => {
  const values: unknown[] = [];
  const append = async (
    _topic: string,
    _partition: number,
    records: readonly NewRecord[],
  ): Promise<AppendAck> => {
    values.push(...records.map((it) => JSON.parse(String(it.value))));
    return { first: 0n, next: 0n };
  };
  const publish = publishToLog({ append }, 'c');
  const changes: Change[] = [];
  const contents = { b: ['é', { '"': null }], a: 1.5, '}': '","object":{}}' };
  await createCollector({
    cluster: 'c',
    sources: [scripted('x', [[fullRead({ a: contents, b: {} }), [gone('b')]]])],
    mirror: memoryMirror(),
    clock: () => new Date(),
    publish: async (given, written) => {
      changes.push(...given);
      expect(written?.filter((it) => it !== undefined)).toHaveLength(
        given.filter((it) => it.type === 'put').length,
      );
      await publish(
        given.filter((it) => it.type !== 'delete'),
        written,
      );
    },
  }).run(new AbortController().signal);
  expect(values).toEqual(changes.filter((it) => it.type !== 'delete'));
});

it('appends no batch beyond half a MiB but a single record, in order and all of it', async () => {
  const appended: number[][] = [];
  const append = async (
    _topic: string,
    _partition: number,
    records: readonly NewRecord[],
  ): Promise<AppendAck> => {
    appended.push(records.map((it) => (JSON.parse(String(it.value)) as { seq: number }).seq));
    return { first: 0n, next: 0n };
  };
  const large = 'é'.repeat(100 * 1024);
  const contents = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((it) => [it, { large: it === 'c' ? large.repeat(4) : large }]),
  );
  await createCollector({
    cluster: 'c',
    sources: [scripted('x', [[fullRead(contents)]])],
    publish: publishToLog({ append }, 'c'),
    mirror: memoryMirror(),
    clock: () => new Date(),
  }).run(new AbortController().signal);
  expect(appended).toEqual([[1, 2, 3], [4], [5, 6]]);
});

it('says where the changes are', async () => {
  const log = openSqliteLog({ file: join(folder, 'offsets.db') });
  await log.ensureTopics(TOPICS);
  await log.append(CHANGES, PARTITION, [{ key: 'other/x', value: 'x', timestamp: 1 }]);
  const events: CollectorEvent[] = [];
  const sources = [scripted('x', [[fullRead({ a: {}, b: {} }), [gone('b')]]])];
  await createCollector({
    cluster: 'c',
    sources,
    publish: publishToLog(log, 'c'),
    mirror: memoryMirror(),
    clock: () => new Date(),
    term: 2,
    onEvent: (it) => events.push(it),
  }).run(new AbortController().signal);
  const common = {
    type: 'published',
    source: 'x',
    stream: 's',
    onlyHeartbeats: false,
    epoch: 2 * 2 ** 32,
    partition: PARTITION,
  };
  expect(events).toEqual([
    { ...common, changes: 4, firstSeq: 1, lastSeq: 4, offsets: [{ first: 1n, next: 5n }] },
    { ...common, changes: 1, firstSeq: 5, lastSeq: 5, offsets: [{ first: 5n, next: 7n }] },
  ]);
  await log.close();
});

it('makes one range of appends that touch, and leaves those apart that do not', async () => {
  const acks = [
    { first: 3n, next: 4n },
    { first: 4n, next: 5n },
    { first: 9n, next: 10n },
  ];
  const append = async (): Promise<AppendAck> => acks.shift()!;
  const put = (uid: string): Change => ({
    type: 'put',
    kind: 'Pod',
    uid,
    name: uid,
    object: { large: 'x'.repeat(400 * 1024) },
    hash: '0',
    version: 1,
    id: uid,
    cluster: 'c',
    source: 'kubernetes',
    stream: 's',
    epoch: 1,
    seq: 1,
    cursor: '',
    observedAt: '2026-01-01T00:00:00Z',
  });
  expect(await publishToLog({ append }, 'c')(['a', 'b', 'c'].map(put))).toEqual({
    partition: PARTITION,
    offsets: [
      { first: 3n, next: 5n },
      { first: 9n, next: 10n },
    ],
  });
});

describe('an object larger than the topic takes', () => {
  const MOST = TOPICS.find((it) => it.name === CHANGES)!.maxMessageBytes;
  const world = { huge: { text: 'x'.repeat(MOST) }, small: { x: 1 } };
  let log: Log;
  beforeEach(async () => {
    log = openSqliteLog({ file: ':memory:' });
    await log.ensureTopics(TOPICS);
  });
  afterEach(() => log.close());
  const reported = async (): Promise<Change[]> =>
    changesIn(await recordsIn(log, CHANGES, PARTITION), 'c');
  const collect = (
    mirror: LogMirror,
    script: Part[],
    onEvent: (event: CollectorEvent) => void = () => undefined,
  ): Promise<void> =>
    collectIntoLog(
      {
        log,
        mirror,
        cluster: 'c',
        sources: [scripted('x', [script])],
        clock: () => new Date(),
        onEvent,
      },
      new AbortController().signal,
    );

  it('is published as omitted, once, counted, and set aside whole', async () => {
    const mirror = memoryMirror();
    const omitted: unknown[] = [];
    await collect(
      mirror,
      [fullRead(world)],
      (it) => it.type === 'published' && omitted.push(...(it.omitted ?? [])),
    );
    const bytes = JSON.stringify(world.huge).length;
    expect(contentsOf(await reported())).toEqual({ small: { x: 1 }, huge: `${bytes} bytes` });
    expect(omitted).toEqual(['c/kubernetes/Pod/huge']);

    const letters = (await recordsIn(log, DEAD_LETTER, PARTITION)).map((it) =>
      DeadLetter.parse(JSON.parse(String(it.value))),
    );
    expect(letters).toMatchObject([
      {
        key: 'c/kubernetes/Pod/huge',
        by: 'collector',
        topic: CHANGES,
        partition: PARTITION,
        offset: null,
        truncated: false,
      },
    ]);
    const original = Change.parse(JSON.parse(Buffer.from(letters[0]!.value!, 'base64').toString()));
    expect(original).toMatchObject({ type: 'put', object: world.huge });
    expect(letters[0]!.id).toBe(`${CHANGES}/${PARTITION}/${original.id}`);

    await collect(mirror, [fullRead(world)]);
    await collect(memoryMirror(), [fullRead(world)]);
    const all = await reported();
    expect(all.filter((it) => it.type === 'omitted')).toHaveLength(1);
    expect(await recordsIn(log, DEAD_LETTER, PARTITION)).toHaveLength(1);
    contentsOf(all);
  });

  it('is published again when it changes, whole once it fits, and deleted when it is gone', async () => {
    await collect(memoryMirror(), [
      fullRead(world),
      [object('huge', { text: 'y'.repeat(MOST) })],
      [object('huge', { fits: 1 })],
      [object('huge', world.huge)],
      [gone('huge')],
    ]);
    const all = (await reported()).flatMap((it) =>
      'uid' in it && it.uid === 'huge' ? [it.type] : [],
    );
    expect(all).toEqual(['omitted', 'omitted', 'put', 'omitted', 'delete']);
    expect(await recordsIn(log, DEAD_LETTER, PARTITION)).toHaveLength(3);
  });

  it('may have a name that alone is too long', async () => {
    const name = 'n'.repeat(MOST);
    await collect(memoryMirror(), [
      [begin(), { ...object('a', {}), name } as Observation, complete()],
      [gone('a')],
    ]);
    const all = await reported();
    expect(all.map((it) => it.type)).toEqual([
      'snapshot-begin',
      'omitted',
      'snapshot-end',
      'delete',
    ]);
    expect(contentsOf(all)).toEqual({});
  });

  it('stops nothing when the letter cannot be written at once', async () => {
    let failures = 2;
    const append: Log['append'] = (topic, ...rest) =>
      topic === DEAD_LETTER && failures-- > 0
        ? Promise.reject(new Failure('log-unavailable', 'away'))
        : log.append(topic, ...rest);
    await createCollector({
      cluster: 'c',
      sources: [scripted('x', [[fullRead(world)]])],
      publish: publishToLog({ append }, 'c'),
      mirror: memoryMirror(),
      clock: () => new Date(),
      backOff: () => 1,
    }).run(new AbortController().signal);
    expect(Object.keys(contentsOf(await reported()))).toEqual(['huge', 'small']);
  });
});
