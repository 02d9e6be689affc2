import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { Checkpoint } from './checkpoint';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkpoint-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file that cannot be opened is not kept locked: once it is moved away, this process makes another', () => {
  const path = join(folder, 'analyzer-2.db');
  writeFileSync(path, 'this is no database, and longer than the header of one would be');
  for (let tries = 0; tries < 2; tries += 1)
    expect(() => new Checkpoint(path, 2)).toThrow(
      expect.objectContaining({ code: 'state-corrupt' }),
    );
  rmSync(path);
  const checkpoint = new Checkpoint(path, 2);
  expect([checkpoint.position, checkpoint.judged]).toEqual([0n, false]);
  checkpoint.close();
});

test('one that is open is refused to a second reader, and free once it is closed', () => {
  const path = join(folder, 'analyzer-2.db');
  const first = new Checkpoint(path, 2);
  expect(() => new Checkpoint(path, 2)).toThrow(expect.objectContaining({ code: 'log-locked' }));
  first.close();
  const second = new Checkpoint(path, 2);
  expect(second.id).not.toBe('');
  second.close();
});

test('a step for which the disk has no room says which file cannot grow, and can be saved later', () => {
  const path = join(folder, 'analyzer-2.db');
  const checkpoint = new Checkpoint(path, 2);
  const step = { clusters: [], outgoing: [], position: 7n, at: 1, judged: true };
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  const other = openSqliteDatabase(':memory:');
  const driver = Object.getPrototypeOf(other) as Database;
  other.close();
  const transaction = jest.spyOn(driver, 'transaction').mockImplementation(() => {
    throw full;
  });
  try {
    expect(() => checkpoint.save(step)).toThrow(
      expect.objectContaining({
        code: 'log-full',
        message: `${path} cannot grow: free space on its disk.`,
      }),
    );
  } finally {
    transaction.mockRestore();
  }
  checkpoint.save(step);
  expect(checkpoint.position).toBe(7n);
  checkpoint.close();
});
