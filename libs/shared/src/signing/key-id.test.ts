import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { keyIdOf } from './key-id';

test('both halves of a key have one id, other keys others', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  expect(keyIdOf(privateKey)).toBe(keyIdOf(publicKey));
  expect(keyIdOf(generateKeyPairSync('ed25519').publicKey)).not.toBe(keyIdOf(publicKey));
});

test('the id is the fingerprint of the published form', () => {
  // sha256 of the SubjectPublicKeyInfo: openssl pkey -pubin -outform DER | sha256sum
  const pem = `-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n`;
  expect(keyIdOf(createPublicKey(pem))).toBe('a1e9156054e04fac899ae9f275132cdc');
});
