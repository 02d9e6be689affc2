import { Finding } from '@ovn-steward/contracts/findings/finding';
import { findingEvent } from '@ovn-steward/contracts/findings/finding-event';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TopicRecord } from './topic';
import { differingIn, lostIn, twiceFoundIn, reportedTwiceIn } from './verdict';

const EXAMPLES = join(__dirname, '..', '..', 'contracts', 'examples');
const example = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(EXAMPLES, `${name}.json`), 'utf8')) as Record<string, unknown>;
const { cluster, source, kind } = example('change.v1.put-object') as Record<string, string>;
const key = (uid: string): string => `${cluster}/${source}/${kind}/${uid}`;
/** Collectors date a record as they observed it. */
const writtenAt = (value: unknown): number =>
  Date.parse((value as { observedAt?: string } | null)?.observedAt ?? '2026-01-01T00:00:00Z');
let offset = 0n;
const record = (key: string, value: unknown): TopicRecord => ({
  partition: 0,
  offset: (offset += 1n),
  timestamp: writtenAt(value),
  key,
  value: value === null ? null : typeof value === 'string' ? value : JSON.stringify(value),
  headers: {},
});

const put = (uid: string, seq: number, more: object = {}): TopicRecord =>
  record(key(uid), {
    ...example('change.v1.put-object'),
    uid,
    seq,
    epoch: 1,
    hash: `h${seq}`,
    ...more,
  });
const gone = (uid: string, seq: number): TopicRecord =>
  record(key(uid), {
    ...example('change.v1.delete'),
    cluster,
    kind: example('change.v1.put-object')['kind'],
    source: 'kubernetes',
    stream: example('change.v1.put-object')['stream'],
    uid,
    seq,
    epoch: 1,
  });

describe('what is lost', () => {
  it('is nothing when the log says what the servers hold, repetitions and late words of an older epoch aside', () => {
    expect(
      lostIn(
        [
          put('a', 1),
          put('b', 2),
          put('a', 1),
          gone('b', 3),
          put('b', 2),
          put('a', 4, { epoch: Number.MAX_SAFE_INTEGER }),
          record(key('a'), { ...example('change.v1.put-object'), uid: 'c', seq: 5, epoch: 1 }),
          record('x', 'junk'),
          record('y', null),
        ],
        new Map([[key('a'), 'h1']]),
      ),
    ).toEqual([]);
  });

  it('is nothing that a clock ahead of ours has dated: a record is held against its own time', () => {
    const ahead = new Date(Date.now() + 10 * 60_000);
    const reported = put('a', 1, { observedAt: ahead.toISOString() });
    const truth = new Map([[key('a'), 'h1']]);
    expect(lostIn([{ ...reported, timestamp: ahead.getTime() }], truth)).toEqual([]);
    expect(lostIn([{ ...reported, timestamp: Date.now() }], truth)).toHaveLength(1);
  });

  it('is nothing of a kind written by another version but objects, not contents', () => {
    const keysOnly = new Set([example('change.v1.put-object')['kind'] as string]);
    const truth = new Map([[key('a'), 'another hash']]);
    expect(lostIn([put('a', 1)], truth, keysOnly)).toEqual([]);
    expect(lostIn([put('a', 1)], truth, new Set(['Vip']))).toHaveLength(1);
    expect(lostIn([put('a', 1), put('b', 2)], truth, keysOnly)).toHaveLength(1);
    expect(lostIn([], truth, keysOnly)).toHaveLength(1);
  });

  it.each<[string, TopicRecord[], [string, string][]]>([
    [
      'a thing never published',
      [put('a', 1)],
      [
        [key('a'), 'h1'],
        [key('b'), 'h'],
      ],
    ],
    ['a change never published', [put('a', 1)], [[key('a'), 'h2']]],
    ['a deletion never published', [put('a', 1), put('b', 2)], [[key('a'), 'h1']]],
    [
      'a word of a replaced collector that won',
      [put('a', 1, { epoch: 2 }), put('a', 2, { epoch: 1 })],
      [[key('a'), 'h2']],
    ],
  ])('is %s', (_, records, truth) => {
    expect(lostIn(records, new Map(truth))).toHaveLength(1);
  });
});

describe('what is published twice', () => {
  it('is nothing when the same is repeated', () => {
    expect(reportedTwiceIn([put('a', 1), put('a', 1), put('a', 2)])).toEqual([]);
  });

  it('is a position with two contents', () => {
    expect(reportedTwiceIn([put('a', 1), put('b', 1)])).toHaveLength(1);
  });
});

const finding = (more: object = {}): Finding =>
  Finding.parse({ ...example('finding.v1.suspected'), revision: 1, ...more });
const event = (it: Finding): TopicRecord => record(it.id, findingEvent(it));

describe('what is found twice', () => {
  it('is nothing when a revision is repeated', () => {
    expect(
      twiceFoundIn([event(finding()), event(finding()), event(finding({ revision: 2 }))]),
    ).toEqual([]);
  });

  it.each<[string, TopicRecord[]]>([
    ['a revision with two contents', [event(finding()), event(finding({ summary: 'another' }))]],
    ['a subject under two ids', [event(finding()), event(finding({ id: 'f'.repeat(64) }))]],
    ['a revision passed over', [event(finding()), event(finding({ revision: 3 }))]],
  ])('is %s', (_, records) => {
    expect(twiceFoundIn(records)).toHaveLength(1);
  });
});

it('reports findings that are missing, and findings that nobody else has', () => {
  const one = finding();
  const other = finding({ id: 'f'.repeat(64) });
  expect(differingIn([event(one)], new Map([[one.id, one.summary]]))).toEqual([]);
  expect(differingIn([event(one), event(other)], new Map([[one.id, one.summary]]))).toEqual([
    expect.stringContaining('on the topic alone'),
  ]);
  expect(differingIn([event(one), record(one.id, null)], new Map([[one.id, one.summary]]))).toEqual(
    [expect.stringContaining('not on the topic')],
  );
});
