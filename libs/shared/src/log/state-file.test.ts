import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteDatabase } from './sqlite-database';
import { inStateFile, makePart, openStateFile } from './state-file';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'executor-'))));
afterEach(() => rmSync(directory, { recursive: true }));

test('is one process’s, until it is closed', () => {
  const path = join(directory, 'executor.db');
  const file = openStateFile(path);
  expect(() => openStateFile(path)).toThrow(expect.objectContaining({ code: 'log-locked' }));
  file.close();
  openStateFile(path).close();
});

test('a file that is no database is a failure that says what to do, stays as it is, and is not held', () => {
  const path = join(directory, 'broken.db');
  writeFileSync(path, 'no database at all, but long enough to be read'.repeat(100));
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(() => openStateFile(path)).toThrow(
      expect.objectContaining({
        code: 'state-corrupt',
        message: expect.stringContaining('move it away'),
      }),
    );
  expect(readFileSync(path, 'utf8')).toContain('no database');
});

test('a part is made once for each version, and others are left alone', () => {
  const path = join(directory, 'executor.db');
  const made: string[] = [];
  const open = (version: number): void => {
    const file = openStateFile(path);
    makePart(file, 'a', version, () => made.push(`a${version}`));
    makePart(file, 'b', 1, () => made.push('b1'));
    file.close();
  };
  [1, 1, 2, 1].forEach(open);
  expect(made).toEqual(['a1', 'b1', 'a2', 'a1']);
});

test('what could not be made is made the next time', () => {
  const file = openStateFile(':memory:');
  const fails = (): void => {
    file.db.exec('CREATE TABLE half (it TEXT) STRICT');
    throw new Error('a bug');
  };
  expect(() => makePart(file, 'a', 1, fails)).toThrow('a bug');
  expect(makePart(file, 'a', 1, () => file.db.exec('CREATE TABLE half (it TEXT) STRICT'))).toBe(
    true,
  );
  file.close();
});

test('a full disk is reported as one', () => {
  const db = openSqliteDatabase(join(directory, 'full.db'));
  db.exec('CREATE TABLE t (x TEXT)');
  db.pragma('max_page_count = 3');
  expect(() =>
    inStateFile('full.db', () => db.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(100_000))),
  ).toThrow(expect.objectContaining({ code: 'log-full' }));
  db.close();
});

test('a disk without room for the file beside a database is full, and nothing is called damaged', () => {
  const noRoom = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_SHMSIZE' });
  const fails = (): never => {
    throw noRoom;
  };
  expect(() => inStateFile('executor.db', fails)).toThrow(
    expect.objectContaining({
      code: 'log-full',
      message: 'executor.db cannot grow: free space on its disk.',
    }),
  );
});
