import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSigningKey } from '@ovn-steward/shared/signing/signing-key';
import { readTrustedKeys } from '@ovn-steward/shared/signing/trusted-keys';
import { steward } from './testing/cli';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'steward-keys-')), 'keys');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));
const generate = (...args: string[]) => steward(['keys', 'generate', '--out', folder, ...args]);

test('a pair is made: one half secret, the other to be trusted as what was said', async () => {
  const made = await generate(
    '--role',
    'approver',
    '--name',
    'anna@example.org',
    '--only-decisions',
    'hold,resume',
    '--not-after',
    '2027-01-01T00:00:00Z',
  );
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const [key, ...others] = readTrustedKeys(folder).values();
  expect(others).toEqual([]);
  expect(key).toMatchObject({
    signer: { role: 'approver', name: 'anna@example.org', decisions: ['hold', 'resume'] },
    notAfter: Date.parse('2027-01-01T00:00:00Z'),
  });
  const secret = join(folder, 'anna@example.org.key.pem');
  expect(readSigningKey(secret).id).toBe(key!.signer.keyId);
  expect(statSync(secret).mode & 0o777).toBe(0o600);
  expect(made.stdout).not.toContain('PRIVATE');
  const listed = await steward(['keys', 'list', '--trusted', folder]);
  expect(listed).toEqual({
    code: 0,
    stderr: '',
    stdout: `${key!.signer.keyId}  approver  anna@example.org  decisions hold, resume; until 2027-01-01T00:00:00.000Z\n`,
  });
});

test('where nothing can be written, it says why without the words of the system', async () => {
  writeFileSync(join(folder, '..', 'file'), '');
  const made = await steward([
    ...['keys', 'generate', '--role', 'executor', '--name', 'e'],
    ...['--out', join(folder, '..', 'file', 'keys')],
  ]);
  expect(made).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/could not be written to .*: a part of its path is a file;/),
  });
  expect(made.stderr).not.toContain('ENOTDIR');
});

test('no file is replaced', async () => {
  await generate('--role', 'executor', '--name', 'e');
  const before = readFileSync(join(folder, 'e.key.pem'), 'utf8');
  expect(await generate('--role', 'executor', '--name', 'e')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no file is replaced'),
  });
  expect(readFileSync(join(folder, 'e.key.pem'), 'utf8')).toBe(before);
});

test('where only one half can be written, none stays', async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'e.json'), 'of somebody else');
  expect(await generate('--role', 'executor', '--name', 'e')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no file is replaced'),
  });
  expect(readdirSync(folder)).toEqual(['e.json']);
});

test('a name stays in the folder', async () => {
  await generate('--role', 'executor', '--name', '../../e');
  expect(readdirSync(folder).sort()).toEqual(['__.._e.json', '__.._e.key.pem']);
});

test.each<[string, string[], RegExp]>([
  ['a role there is not', ['--role', 'admin', '--name', 'e'], /admin/],
  ['no name', ['--role', 'executor'], /--name/],
  ['an empty name', ['--role', 'executor', '--name', ''], /name/],
  ['a time that is none', ['--role', 'executor', '--name', 'e', '--not-after', 'soon'], /notAfter/],
])('%s makes no key', async (_, args, says) => {
  expect(await generate(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
});

test('a folder without keys is said to trust nobody', async () => {
  mkdirSync(folder);
  expect(await steward(['keys', 'list', '--trusted', folder])).toEqual({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/ holds no key .* steward keys generate\.\n$/) as string,
  });
});

test('whom to trust must be said', async () => {
  expect(await steward(['keys', 'list'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--trusted'),
  });
});

test('on Kafka nobody decides without a key', async () => {
  expect(
    await steward(['hold', '--reason', 'x', '--cluster', 'c', '--kafka-brokers', '127.0.0.1:1']),
  ).toMatchObject({ code: 1, stderr: expect.stringContaining('steward keys generate') });
});

test('a folder that --trusted names is called by that', async () => {
  expect((await steward(['keys', 'list', '--trusted', join(folder, 'none')])).stderr).toMatch(
    /^steward: --trusted: .*none cannot be read: it does not exist; check the path\n$/,
  );
});
