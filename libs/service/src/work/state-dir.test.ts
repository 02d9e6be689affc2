import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStateDir } from './state-dir';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'state-dir-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function opened(stateDir: string): string[] {
  const warnings: string[] = [];
  const logger = { warn: (message: string) => void warnings.push(message) };
  openStateDir({ settings: { stateDir }, logger } as unknown as Parameters<typeof openStateDir>[0]);
  return warnings;
}

test('a folder that is not there is made for this account alone', () => {
  const stateDir = join(folder, 'new');
  expect(opened(stateDir)).toEqual([]);
  expect(statSync(stateDir).mode & 0o777).toBe(0o700);
});

test('one that others read, with files that are none of ours, is left as it is and warned of', () => {
  const stateDir = join(folder, 'wide');
  mkdirSync(stateDir);
  writeFileSync(join(stateDir, 'notes.txt'), '');
  chmodSync(stateDir, 0o755);
  expect(opened(stateDir)).toEqual(['state directory open to others']);
  expect(statSync(stateDir).mode & 0o777).toBe(0o755);
});
