import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSigningKey } from './signing-key';
import { keyHolder } from './testing/keys';

const folder = mkdtempSync(join(tmpdir(), 'steward-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (content: string): string => {
  const file = join(folder, 'key.pem');
  writeFileSync(file, content);
  return file;
};
const anna = keyHolder();

test('the file of a private key says which key it is', () => {
  expect(readSigningKey(fileOf(anna.pem)).id).toBe(anna.key.id);
});

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

test.each([
  ['a public key', anna.file.publicKey, 'is no private key'],
  ['nothing', '', 'is no private key'],
  ['a key of another type', rsa, 'of type rsa'],
])('%s is refused, and nothing of it is shown', (_, content, why) => {
  const file = fileOf(content);
  expect(() => readSigningKey(file)).toThrow(
    expect.objectContaining({ code: 'config-invalid', message: expect.stringContaining(why) }),
  );
  expect(() => readSigningKey(file)).not.toThrow('BEGIN');
});

test('a file that is not there is refused by its name', () => {
  expect(() => readSigningKey('/nowhere/key.pem')).toThrow(
    '/nowhere/key.pem cannot be read: it does not exist',
  );
});
