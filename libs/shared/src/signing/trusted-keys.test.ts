import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyHolder } from './testing/keys';
import { readTrustedKeys } from './trusted-keys';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const put = (name: string, content: unknown): void =>
  writeFileSync(
    join(folder, name),
    typeof content === 'string' ? content : JSON.stringify(content),
  );

const anna = keyHolder();
const bob = keyHolder({ role: 'executor', name: 'e', clusters: ['c'], decisions: ['hold'] });

test('every file of the folder is a key', () => {
  put('anna.json', anna.file);
  put('bob.json', bob.file);
  put('README', 'who they are');
  put('.hidden.json', 'no key');
  const keys = readTrustedKeys(folder);
  expect([...keys.keys()].sort()).toEqual([anna.key.id, bob.key.id].sort());
  expect(keys.get(bob.key.id)?.signer).toEqual({
    keyId: bob.key.id,
    role: 'executor',
    name: 'e',
    clusters: ['c'],
    decisions: ['hold'],
  });
});

test('a folder of none trusts nobody', () => {
  expect(readTrustedKeys(folder).size).toBe(0);
});

test.each<[string, unknown, string]>([
  ['no JSON', '{', 'it is not JSON'],
  ['another role', { ...anna.file, role: 'admin' }, 'role'],
  ['no name', { ...anna.file, name: '' }, 'name'],
  ['a word nobody knows', { ...anna.file, clutsers: [] }, 'clutsers'],
  ['a time that is none', { ...anna.file, notAfter: 'soon' }, 'notAfter'],
  ['another version', { ...anna.file, version: 2 }, 'version'],
  ['no PEM', { ...anna.file, publicKey: 'abc' }, 'publicKey is no public key'],
  ['a private key', { ...anna.file, publicKey: anna.pem }, 'holds a private key'],
  ['the id of another key', { ...anna.file, id: bob.key.id }, 'its id is'],
])('%s is refused, with the name of the file', (_, content, why) => {
  put('anna.json', content);
  expect(() => readTrustedKeys(folder)).toThrow(
    expect.objectContaining({ code: 'config-invalid', message: expect.stringContaining(why) }),
  );
  expect(() => readTrustedKeys(folder)).toThrow('anna.json');
});

test('one key twice is refused: it is not known which name counts', () => {
  put('a.json', anna.file);
  put('b.json', { ...anna.file, name: 'bob' });
  expect(() => readTrustedKeys(folder)).toThrow('another file trusts already');
});

test('a folder that is not there is refused', () => {
  expect(() => readTrustedKeys(join(folder, 'none'))).toThrow(
    /none cannot be read: it does not exist; check the path$/,
  );
});

test('one that cannot be read is refused: half of a folder is not whom to trust', () => {
  put('anna.json', anna.file);
  mkdirSync(join(folder, 'bob.json'));
  expect(() => readTrustedKeys(folder)).toThrow('bob.json, which cannot be read');
});
