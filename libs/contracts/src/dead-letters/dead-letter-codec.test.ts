import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import type { DeadLetter } from './dead-letter';
import { decodeLetter, encodeLetter, encodeReplayed } from './dead-letter-codec';

const CONTRACTS = join(__dirname, '../../../../contracts');
const sample = (path: string): DeadLetter =>
  JSON.parse(readFileSync(join(CONTRACTS, path), 'utf8')) as DeadLetter;
const SAMPLES = ['examples', 'later-versions'].flatMap((folder) =>
  readdirSync(join(CONTRACTS, folder))
    .filter((it) => it.startsWith('dead-letter.'))
    .map((it) => `${folder}/${it}`),
);
const LETTER = sample('examples/dead-letter.v1.poison.json');
const AT = new Date('2026-03-02T09:14:07.204Z');

const stored = ({ key, value, headers = {}, timestamp }: NewRecord): LogRecord => ({
  offset: 0n,
  key,
  value: value === null ? null : Buffer.from(value),
  headers,
  timestamp,
});

test.each(SAMPLES)('%s comes back as it is, with what this version does not know', (path) => {
  const letter = sample(path);
  const record = encodeLetter(letter, AT);
  expect([record.key, record.headers, record.timestamp]).toEqual([
    letter.key,
    { id: letter.id },
    AT.getTime(),
  ]);
  expect(decodeLetter(stored(record))).toEqual({ letter });
});

test('that a letter was replayed stands under its key', () => {
  const record = encodeReplayed(LETTER, AT);
  expect([record.key, record.value]).toEqual([LETTER.key, null]);
  expect(decodeLetter(stored(record))).toEqual({ replayed: LETTER.id, at: AT.toISOString() });
  expect(decodeLetter(stored({ ...record, headers: {} }))).toEqual({
    unreadable: 'it has neither a value nor an id',
    key: LETTER.key,
  });
});

test('a letter of before letters were cut off is whole', () => {
  const { truncated: _, ...first } = LETTER;
  const read = decodeLetter(stored(encodeLetter(first as DeadLetter, AT)));
  expect(read).toEqual({ letter: { ...first, truncated: false } });
});

test.each([
  ['no JSON', '{', /^it is not JSON: /],
  ['another version', JSON.stringify({ ...LETTER, version: 2 }), /^it is not a dead letter of ver/],
  ['no id', JSON.stringify({ ...LETTER, id: '' }), /id/],
])('%s is no letter, with the reason', (_, value, why) => {
  expect(decodeLetter(stored({ key: 'k', value, timestamp: 0 }))).toEqual({
    unreadable: expect.stringMatching(why),
    key: 'k',
  });
});

test('nothing it is given makes it throw, whenever it was dated', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const values = fc.oneof(fc.json(), fc.string(), fc.constantFrom(deep, null));
  const times = fc.oneof(fc.integer(), fc.constantFrom(1e17, -1e17));
  fc.assert(
    fc.property(
      values,
      times,
      (value, timestamp) =>
        void decodeLetter(stored({ key: 'k', value, headers: { id: 'i' }, timestamp })),
    ),
  );
});
