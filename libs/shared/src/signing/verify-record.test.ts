import { sign } from 'node:crypto';
import { ACTIONS, CONTROL } from '../log/topics';
import { SIGNATURE_HEADER } from './signature-header';
import type { Placed } from './signed-bytes';
import { signatureFor } from './signing-key';
import { keyHolder, trusting } from './testing/keys';
import { verifyRecord } from './verify-record';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const HOUR = 3_600_000;
const anna = keyHolder();
const mallory = keyHolder({ role: 'approver', name: 'anna' });
const RECORD: Placed = { topic: CONTROL, partition: 3, key: 'c/hold/[]', value: '{"a":1}' };
const OPTIONS = { keys: trusting(anna), required: true, now: NOW };

const withHeader = (record: Placed, text: string) => ({
  ...record,
  headers: { [SIGNATURE_HEADER]: text },
});
const signed = (record: Placed = RECORD, at = NOW, by = anna) =>
  withHeader(record, signatureFor(record, by.key, at));

test('a record signed by a trusted key is proven, with the name bound to the key', () => {
  expect(verifyRecord(signed(), OPTIONS)).toMatchObject({
    is: 'proven',
    by: { keyId: anna.key.id, role: 'approver', name: 'anna' },
    at: NOW,
  });
});

test('the bytes count, not how they came: text and buffer are one', () => {
  const signedRecord = signed();
  expect(
    verifyRecord({ ...signedRecord, value: Buffer.from(String(signedRecord.value)) }, OPTIONS),
  ).toMatchObject({
    is: 'proven',
  });
});

test('a tombstone is signed as such', () => {
  expect(verifyRecord(signed({ ...RECORD, value: null }), OPTIONS)).toMatchObject({ is: 'proven' });
});

test.each<[string, Partial<Placed>]>([
  ['under another key', { key: 'c/hold/[""]' }],
  ['of another cluster', { key: 'd/hold/[]' }],
  ['in another topic', { topic: ACTIONS }],
  ['in another partition', { partition: 4 }],
  ['with another value', { value: '{"a":2}' }],
  ['with one more byte', { value: '{"a":1}\n' }],
  ['as a tombstone', { value: null }],
  ['as an empty value', { value: '' }],
])('a signature does not hold %s', (_, other) => {
  expect(verifyRecord({ ...signed(), ...other }, OPTIONS)).toMatchObject({
    is: 'refused',
    reason: 'wrong-signature',
  });
});

test('a tombstone is no empty value', () => {
  expect(verifyRecord({ ...signed({ ...RECORD, value: null }), value: '' }, OPTIONS)).toMatchObject(
    { reason: 'wrong-signature' },
  );
});

test('what the header says is signed, too', () => {
  const text = signatureFor(RECORD, anna.key, NOW);
  expect(
    verifyRecord(withHeader(RECORD, text.replace(`at=${NOW}`, `at=${NOW + 1}`)), OPTIONS),
  ).toMatchObject({ reason: 'wrong-signature' });
});

test('a key that nobody trusts proves nothing, whatever name it gives itself', () => {
  expect(verifyRecord(signed(RECORD, NOW, mallory), OPTIONS)).toMatchObject({
    is: 'refused',
    reason: 'unknown-key',
  });
});

test('the id of a trusted key is of no use without its private half', () => {
  const forged = signatureFor(RECORD, { ...mallory.key, id: anna.key.id }, NOW);
  expect(verifyRecord(withHeader(RECORD, forged), OPTIONS)).toMatchObject({
    reason: 'wrong-signature',
  });
});

test('a signature over the value alone is none', () => {
  const bare = sign(null, Buffer.from(String(RECORD.value)), anna.key.privateKey);
  const text = `v=1;alg=ed25519;key=${anna.key.id};at=${NOW};sig=${bare.toString('base64')}`;
  expect(verifyRecord(withHeader(RECORD, text), OPTIONS)).toMatchObject({
    reason: 'wrong-signature',
  });
});

test('without a signature a record is refused where one is required, and only there', () => {
  expect(verifyRecord(RECORD, OPTIONS)).toMatchObject({ is: 'refused', reason: 'unsigned' });
  expect(verifyRecord(RECORD, { ...OPTIONS, required: false })).toEqual({ is: 'unsigned' });
  expect(verifyRecord({ ...RECORD, headers: {} }, OPTIONS)).toMatchObject({ reason: 'unsigned' });
});

test.each([true, false])(
  'a wrong signature is refused whether or not one is required (%s)',
  (required) => {
    for (const [text, reason] of [
      ['', 'malformed'],
      ['v=1', 'malformed'],
      [signatureFor(RECORD, mallory.key, NOW), 'unknown-key'],
    ] as const)
      expect(verifyRecord(withHeader(RECORD, text), { ...OPTIONS, required })).toMatchObject({
        is: 'refused',
        reason,
      });
  },
);

test('a key proves only what was signed in its time', () => {
  const from = NOW - HOUR;
  const to = NOW + HOUR / 2;
  const bound = keyHolder({
    role: 'approver',
    name: 'anna',
    notBefore: new Date(from).toISOString(),
    notAfter: new Date(to).toISOString(),
  });
  const verdictAt = (at: number): unknown =>
    verifyRecord(signed(RECORD, at, bound), { ...OPTIONS, keys: trusting(bound) });
  for (const at of [from, NOW, to]) expect(verdictAt(at)).toMatchObject({ is: 'proven' });
  for (const at of [from - 1, to + 1])
    expect(verdictAt(at)).toMatchObject({ is: 'refused', reason: 'key-expired' });
});

test('a time more than an hour ahead is refused: nothing could ever be newer', () => {
  expect(verifyRecord(signed(RECORD, NOW + HOUR), OPTIONS)).toMatchObject({ is: 'proven' });
  for (const at of [NOW + HOUR + 1, 999_999_999_999_999])
    expect(verifyRecord(signed(RECORD, at), OPTIONS)).toMatchObject({ reason: 'clock' });
});
