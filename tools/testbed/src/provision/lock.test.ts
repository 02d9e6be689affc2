import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryLock, withLock } from './lock';

let folder: string;
const file = (): string => join(folder, 'lock');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-test-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a lock is had once', () => {
  expect(tryLock(file())).toBe(true);
  expect(tryLock(file())).toBe(false);
  expect(readdirSync(folder)).toEqual(['lock']);
});

test('the lock of a process that is gone is taken over', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(file(), String(pid));
  expect(tryLock(file())).toBe(true);
  expect(tryLock(file())).toBe(false);
});

test('a number that now belongs to another process holds nothing', () => {
  writeFileSync(file(), `${process.pid} 1`);
  expect(tryLock(file())).toBe(existsSync('/proc/self/stat'));
});

test('rubbish in the file holds nothing', () => {
  writeFileSync(file(), '');
  expect(tryLock(file())).toBe(true);
});

test('work under a lock is done by one at a time, and others are shown that they wait', async () => {
  let inside = 0;
  let most = 0;
  let waited = 0;
  const work = async (): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setTimeout(resolve, 20));
    inside -= 1;
  };
  await Promise.all([1, 2, 3].map(() => withLock(file(), () => (waited += 1), work)));
  expect({ most, waited }).toEqual({ most: 1, waited: 2 });
  expect(readdirSync(folder)).toEqual([]);
});

test('a failed work gives the lock back', async () => {
  await expect(
    withLock(
      file(),
      () => undefined,
      () => Promise.reject(new Error('no')),
    ),
  ).rejects.toThrow('no');
  expect(tryLock(file())).toBe(true);
});
