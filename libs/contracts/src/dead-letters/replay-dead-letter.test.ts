import { deadLetterOf, type SetAside } from './dead-letter-of';
import { listDeadLetters } from './list-dead-letters';
import { newerRecords } from './newer-records';
import { readDeadLetters, type StoredRecord } from './read-dead-letters';
import { replayDeadLetter } from './replay-dead-letter';
import type { DeadLetter } from './dead-letter';
import type { Log, LogRecord } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import {
  ACTIONS,
  CHANGES,
  CONTROL,
  DEAD_LETTER,
  FINDINGS,
  TOPICS,
} from '@ovn-steward/shared/log/topics';

const MIB = 1_048_576;
/** Of cluster c2. */
const OWN = 1;
const now = new Date('2026-01-02T03:04:05.000Z');
const about = { by: 'analyzer', at: now, why: 'It could not be read.' };

describe('dead letters', () => {
  let log: Log;
  beforeEach(async () => {
    log = openSqliteLog({ file: ':memory:' });
    await log.ensureTopics(TOPICS);
  });
  afterEach(() => log.close());

  const all = async (topic: string, partition = OWN): Promise<readonly LogRecord[]> =>
    (await log.read(topic, partition, 0n, 100)).records;
  const stored = async (): Promise<StoredRecord[]> => {
    const list: StoredRecord[] = [];
    for await (const it of readDeadLetters(log)) list.push(it);
    return list;
  };
  const setAside = async (
    poison: Partial<SetAside> & Pick<SetAside, 'record'>,
  ): Promise<{ letter: DeadLetter; partition: number }> => {
    const whole = { topic: CHANGES, partition: OWN, ...about, ...poison };
    await log.append(DEAD_LETTER, whole.partition, [deadLetterOf(whole)]);
    const last = (await stored()).filter((one) => one.partition === whole.partition).at(-1)!;
    if (!('letter' in last.is)) throw new Error('not a letter');
    return { letter: last.is.letter, partition: last.partition };
  };
  /** Appends a record and sets it aside as the analyzer would. */
  const poisoned = async (
    record: { key: string; value: Buffer | null; headers?: Record<string, string> },
    topic = CHANGES,
    partition = OWN,
  ) => {
    await log.append(topic, partition, [{ ...record, timestamp: 1 }]);
    return setAside({ topic, partition, record: (await all(topic, partition)).at(-1)! });
  };

  it.each<[string, { key: string; value: Buffer | null; headers?: Record<string, string> }]>([
    [
      'half a JSON text',
      { key: 'c2/ovn-nb/ACL/u1', value: Buffer.from('{"type":"pu'), headers: { epoch: '7' } },
    ],
    ['a later version', { key: 'c2/ovn-nb/ACL/u1', value: Buffer.from('{"version":2}') }],
    [
      'bytes that are no text',
      { key: 'c2/ovn-nb/ACL/u1 \u001b[31m', value: Buffer.from([0, 255, 254, 10, 27, 91]) },
    ],
    ['a tombstone', { key: 'c2/ovn-nb/ACL/u1', value: null }],
    ['an empty value', { key: 'c2/ovn-nb/ACL/u1', value: Buffer.alloc(0) }],
    ['7 MiB', { key: 'c2/ovn-nb/Address_Set/u1', value: Buffer.alloc(7 * MIB, 3) }],
  ])('comes back as it was: %s', async (_, record) => {
    const deadLetter = await poisoned(record);
    const { first } = await replayDeadLetter(log, deadLetter, now);
    const { value, ...replayed } = (await all(CHANGES)).at(-1)!;
    expect(replayed).toEqual({
      offset: first,
      key: record.key,
      headers: { ...record.headers, 'replay-of': `${CHANGES}/1/0` },
      timestamp: now.getTime(),
    });
    expect(value?.toString('base64')).toBe(record.value?.toString('base64')); // comparing megabytes byte by byte takes half a minute
  });

  it('comes back to the topic and partition it came from', async () => {
    const later = { specversion: '2.0', data: { id: 'id', cluster: 'c2', state: 'later' } };
    const deadLetter = await poisoned(
      { key: 'id', value: Buffer.from(JSON.stringify(later)) },
      FINDINGS,
    );
    await replayDeadLetter(log, deadLetter, now);
    expect((await all(FINDINGS)).map(({ key }) => key)).toEqual(['id', 'id']);
  });

  it('is refused when its end was cut off, its place is not ours, or its topic does not take it; and nothing is appended', async () => {
    const key = 'c2/ovn-nb/ACL/u1';
    const whole = (await poisoned({ key, value: Buffer.from('x') })).letter;
    const finding = (cluster: string): string =>
      Buffer.from(JSON.stringify({ data: { id: key, cluster } })).toString('base64');
    const wrong: readonly (readonly [Partial<DeadLetter>, RegExp])[] = [
      [{ topic: CONTROL, id: `${CONTROL}/1/0` }, /nothing is ever replayed to steward.control/],
      [{ topic: ACTIONS, id: `${ACTIONS}/1/0` }, /nothing is ever replayed to steward.actions/],
      [{ id: `${CHANGES}/1/1` }, /its id is not steward.changes.v1\/1\/0/],
      [{ offset: '-1', id: `${CHANGES}/1/-1` }, /its id is not/],
      [{ offset: null }, /never on its topic/],
      [{ key: 'orders' }, /its key is not one of steward.changes.v1/],
      [{ key: 'rights/ovn-nb/ACL/u1' }, /rights belong to partition 5 of .*, not 1/],
      [{ partition: 5, id: `${CHANGES}/5/0` }, /c2 belong to partition 1 of .*, not 5/],
      [{ topic: FINDINGS, id: `${FINDINGS}/1/0` }, /its key is not one of steward.findings.v1/],
      [
        { topic: FINDINGS, id: `${FINDINGS}/1/0`, value: finding('rights') },
        /rights belong to partition 5/,
      ],
      [
        { topic: FINDINGS, id: `${FINDINGS}/1/0`, value: finding('c2') },
        /has no record at offset 0/,
      ],
      [{ offset: '7', id: `${CHANGES}/1/7` }, /has no record at offset 7/],
      [{ key: 'c2/ovn-nb/ACL/u2' }, /\/1\/0 is another/],
      [{ value: Buffer.from('y').toString('base64') }, /\/1\/0 is another/],
      [{ headers: { 'steward-signature': 'x' } }, /\/1\/0 is another/],
      [{ truncated: true }, /cut off/],
      [{ topic: 'orders' }, /orders\/1 is no place/],
      [{ topic: DEAD_LETTER }, /no place/],
      [{ partition: 12 }, /no place/],
      [
        { topic: FINDINGS, value: Buffer.alloc(MIB).toString('base64') },
        /weighs 1048\d\d\d bytes, and steward.findings.v1 takes 1048576/,
      ],
    ];
    for (const [change, why] of wrong) {
      const replaying = replayDeadLetter(
        log,
        { partition: 0, letter: { ...whole, ...change } },
        now,
      );
      await expect(replaying).rejects.toMatchObject({
        code: 'log-record-refused',
        message: expect.stringMatching(why),
      });
    }
    expect([
      (await all(CHANGES)).length,
      (await all(DEAD_LETTER)).length,
      (await all(FINDINGS)).length,
    ]).toEqual([1, 1, 0]);
  });

  it('that was never published and is too large for its topic is refused by its weight', async () => {
    const deadLetter = await setAside({
      by: 'collector',
      record: { id: 'c2/ovn-nb/1/1', key: 'k', value: Buffer.alloc(10 * MIB), timestamp: 1 },
    });
    await expect(replayDeadLetter(log, deadLetter, now)).rejects.toThrow(/takes 8388608/);
  });

  it('are listed once an id, with what they hold, whether they were replayed, and whether they can be', async () => {
    const first = await poisoned({ key: 'c2/ovn-nb/ACL/k', value: Buffer.from('{"a":') });
    await setAside({ at: new Date(now.getTime() + 1), record: (await all(CHANGES))[0]! });
    await setAside({
      partition: 5,
      record: { id: 'big', key: 'huge', value: Buffer.alloc(20 * MIB), timestamp: 1 },
      by: 'collector',
      at: new Date(now.getTime() - 1),
    });
    await log.append(DEAD_LETTER, 3, [
      { key: 'junk', value: 'junk', timestamp: 1 },
      { key: 'bare', value: null, timestamp: 1 },
    ]);
    const later = new Date(now.getTime() + 2);
    await replayDeadLetter(log, first, later);
    const { letters, unreadable } = await listDeadLetters(log);
    expect(letters).toEqual([
      expect.objectContaining({
        id: `${CHANGES}/5/big`,
        by: 'collector',
        offset: null,
        truncated: true,
        replayedAt: null,
        refusal: expect.stringContaining('cut off'),
        stored: { partition: 5, offset: 0n },
      }),
      expect.objectContaining({
        id: `${CHANGES}/1/0`,
        by: 'analyzer',
        bytes: 5,
        beginning: '{"a":',
        replayedAt: later.toISOString(),
        at: new Date(now.getTime() + 1).toISOString(),
      }),
    ]);
    expect(letters[1]).not.toHaveProperty('refusal');
    expect(unreadable.map(({ partition, offset, key }) => [partition, offset, key])).toEqual([
      [3, 0n, 'junk'],
      [3, 1n, 'bare'],
    ]);
  });

  it('know the last record under their key that came after them, and their own replay', async () => {
    const keyOf = (uid: string): string => `c2/ovn-nb/ACL/${uid}`;
    const a = await poisoned({ key: keyOf('a'), value: Buffer.from('1') });
    const b = await poisoned({ key: keyOf('b'), value: Buffer.from('1') });
    const c = await poisoned({ key: keyOf('c'), value: Buffer.from('1') });
    const never = await setAside({
      by: 'collector',
      record: { id: 'x', key: keyOf('a'), value: 'y', timestamp: 1 },
    });
    await log.append(CHANGES, 0, [{ key: keyOf('c'), value: 'elsewhere', timestamp: 1 }]);
    await log.append(CHANGES, OWN, [
      { key: keyOf('a'), value: '2', timestamp: 1 },
      { key: keyOf('a'), value: null, timestamp: 1 },
    ]);
    await replayDeadLetter(log, b, now);
    expect(
      await newerRecords(
        log,
        [a, b, c, never].map(({ letter }) => letter),
      ),
    ).toEqual(
      new Map([
        [a.letter.id, { offset: 4n, replay: false }],
        [b.letter.id, { offset: 5n, replay: true }],
        [never.letter.id, { offset: 4n, replay: false }],
      ]),
    );
  });
});
