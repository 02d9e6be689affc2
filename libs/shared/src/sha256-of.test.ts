import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Of } from './sha256-of';

const folder = mkdtempSync(join(tmpdir(), 'sha256-of-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('digests a file and counts its bytes', async () => {
  const file = join(folder, 'abc');
  writeFileSync(file, 'abc');
  // FIPS 180-2, appendix B.1
  expect(await sha256Of(file)).toEqual({
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    bytes: 3,
  });
});

test('counts all of a file that is read in several pieces', async () => {
  const file = join(folder, 'long');
  writeFileSync(file, Buffer.alloc(200_000));
  expect((await sha256Of(file)).bytes).toBe(200_000);
});

test('fails as the system does where there is no file', async () => {
  await expect(sha256Of(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
});
