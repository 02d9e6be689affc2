import { generateKeyPairSync } from 'node:crypto';
import { keyHolder } from './testing/keys';
import { trustedKeyOf } from './trusted-key';

const ANNA = keyHolder({
  role: 'approver',
  name: 'anna',
  clusters: ['berlin-1'],
  decisions: ['hold'],
  notBefore: '2026-01-01T00:00:00+01:00',
  notAfter: '2027-01-01T00:00:00Z',
});
const reading = (more: object = {}) => trustedKeyOf(JSON.stringify({ ...ANNA.file, ...more }));

test('says whose it is, and what it may sign, where and when', () => {
  expect(reading()).toMatchObject({
    signer: {
      keyId: ANNA.key.id,
      role: 'approver',
      name: 'anna',
      clusters: ['berlin-1'],
      decisions: ['hold'],
    },
    notBefore: Date.UTC(2025, 11, 31, 23),
    notAfter: Date.UTC(2027, 0, 1),
  });
});

test('what it does not bound is unbounded', () => {
  const { clusters, decisions, notBefore, notAfter, ...free } = ANNA.file;
  expect([clusters, decisions, notBefore, notAfter]).not.toContain(undefined);
  expect(trustedKeyOf(JSON.stringify(free))).toMatchObject({
    signer: { clusters: undefined, decisions: undefined },
    notBefore: -Infinity,
    notAfter: Infinity,
  });
});

const RSA = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

test.each<[string, object, RegExp]>([
  ['a key of another algorithm', { publicKey: RSA.publicKey }, /of type rsa, not Ed25519/],
  ['a private key', { publicKey: ANNA.pem }, /holds a private key/],
  ['the id of another key', { id: keyHolder().file.id }, /its id is/],
  ['a word nobody knows', { clutsers: [] }, /clutsers/],
  ['another role', { role: 'admin' }, /role/],
])('%s is wrong', (_, more, why) => {
  expect(reading(more)).toEqual({ wrong: expect.stringMatching(why) as unknown });
});
