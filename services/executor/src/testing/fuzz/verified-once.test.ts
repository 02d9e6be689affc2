import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { verifyOnce } from './verified-once';

let restore: () => void;
beforeEach(() => (restore = verifyOnce()));
afterEach(() => restore());

const ours = generateKeyPairSync('ed25519');
const theirs = generateKeyPairSync('ed25519');
const text = Buffer.from('a record');
const other = Buffer.from('another');

test('says each time what the real function says, of these bytes, this key and this signature', () => {
  const signature = sign(null, text, ours.privateKey);
  const forged = sign(null, text, theirs.privateKey);
  for (let time = 0; time < 2; time++) {
    expect(verify(null, text, ours.publicKey, signature)).toBe(true);
    expect(verify(null, other, ours.publicKey, signature)).toBe(false);
    expect(verify(null, text, theirs.publicKey, signature)).toBe(false);
    expect(verify(null, text, ours.publicKey, forged)).toBe(false);
  }
});
