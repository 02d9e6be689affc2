import { DeadLetter } from './dead-letter';
import { batchBytes } from '@ovn-steward/shared/log/batch-bytes';
import { CHANGES, DEAD_LETTER, TOPICS } from '@ovn-steward/shared/log/topics';
import { deadLetterOf } from './dead-letter-of';

const MIB = 1_048_576;
const LIMIT = TOPICS.find(({ name }) => name === DEAD_LETTER)!.maxMessageBytes;
const at = new Date('2026-01-02T03:04:05.000Z');
const where = { topic: CHANGES, partition: 3, by: 'analyzer', at, why: 'It is not JSON.' };
const read = {
  offset: 42n,
  key: 'c1/kubernetes/Pod/u1',
  value: Buffer.from('{"half'),
  headers: { producer: 'x' },
  timestamp: 1,
};
const letterIn = (record: { value: Buffer | string | null }): DeadLetter =>
  DeadLetter.parse(JSON.parse(String(record.value)));

it('keeps a record that was read with all it came with, under its key', () => {
  const record = deadLetterOf({ ...where, record: read });
  expect(record).toMatchObject({
    key: read.key,
    headers: { id: `${CHANGES}/3/42` },
    timestamp: at.getTime(),
  });
  expect(letterIn(record)).toEqual({
    version: 1,
    id: `${CHANGES}/3/42`,
    topic: CHANGES,
    partition: 3,
    offset: '42',
    key: read.key,
    headers: { producer: 'x' },
    value: Buffer.from('{"half').toString('base64'),
    truncated: false,
    by: 'analyzer',
    at: at.toISOString(),
    why: 'It is not JSON.',
  });
});

it('names what was never in the log by its own id', () => {
  const record = deadLetterOf({
    ...where,
    by: 'collector',
    record: { id: 'c1/ovn-nb/7/1', key: 'k', value: 'text', timestamp: 1 },
  });
  expect(letterIn(record)).toMatchObject({
    id: `${CHANGES}/3/c1/ovn-nb/7/1`,
    offset: null,
    value: Buffer.from('text').toString('base64'),
    headers: {},
  });
});

it('gives the same failure the same id, and another record another', () => {
  const id = (offset: bigint): string | undefined =>
    deadLetterOf({ ...where, at: new Date(Number(offset)), record: { ...read, offset } }).headers?.[
      'id'
    ];
  expect([id(1n) === id(1n), id(1n) === id(2n)]).toEqual([true, false]);
});

it('distinguishes a tombstone from an empty value', () => {
  expect(letterIn(deadLetterOf({ ...where, record: { ...read, value: null } })).value).toBeNull();
  expect(
    letterIn(deadLetterOf({ ...where, record: { ...read, value: Buffer.alloc(0) } })).value,
  ).toBe('');
});

it('takes a value of 10 MiB whole', () => {
  const value = Buffer.alloc(10 * MIB, 7);
  const letter = letterIn(deadLetterOf({ ...where, record: { ...read, value } }));
  expect([letter.truncated, Buffer.from(letter.value!, 'base64').equals(value)]).toEqual([
    false,
    true,
  ]);
});

it.each<[string, object, number]>([
  ['value', { value: Buffer.alloc(40 * MIB, 7) }, 11 * MIB],
  ['key', { key: '\u0000'.repeat(5 * MIB) }, 0],
  ['headers', { headers: { big: 'x'.repeat(17 * MIB) } }, 0],
])(
  'fills the topic’s limit, not a byte more, with the beginning of a %s that is too large',
  (_, large, atLeast) => {
    const record = deadLetterOf({ ...where, record: { ...read, ...large } });
    expect(batchBytes([record])).toBeLessThanOrEqual(LIMIT);
    const letter = letterIn(record);
    expect(letter).toMatchObject({ truncated: true, offset: '42', key: record.key });
    const original = Buffer.from('value' in large ? (large.value as Buffer) : read.value);
    const kept = Buffer.from(letter.value!, 'base64');
    expect([original.subarray(0, kept.length).equals(kept), kept.length > atLeast]).toEqual([
      true,
      true,
    ]);
  },
);
