import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimFolder } from './claim-folder';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claim-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a folder is the cluster’s that came first', () => {
  claimFolder(folder, 'berlin');
  claimFolder(folder, 'berlin');
  expect(() => claimFolder(folder, 'paris')).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      message: expect.stringContaining('belongs to the cluster berlin, not to paris'),
    }),
  );
  expect(readFileSync(join(folder, 'cluster'), 'utf8')).toBe('berlin\n');
});

test('a claim that a crash left empty is none', () => {
  writeFileSync(join(folder, 'cluster'), '');
  claimFolder(folder, 'paris');
  expect(() => claimFolder(folder, 'berlin')).toThrow();
});
