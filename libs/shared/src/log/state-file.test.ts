import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openSqliteDatabase } from './sqlite-database';
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

describe('a second connection', () => {
  test('does not wait for the disk, while the first does', () => {
    const file = openStateFile(join(directory, 'executor.db'));
    const synchronous = (db: Database): unknown => db.pragma('synchronous', { simple: true });
    expect([file.db, file.unsynced()].map(synchronous)).toEqual([2, 1]); // FULL, NORMAL
    file.close();
  });

  test('writes to the log of the first, in the order of their commits', () => {
    const path = join(directory, 'executor.db');
    const file = openStateFile(path);
    file.db.exec('CREATE TABLE t (x TEXT)');
    file.unsynced().exec("INSERT INTO t VALUES ('place')");
    file.db.exec("INSERT INTO t VALUES ('claim')");
    copyFileSync(path, join(directory, 'copy.db'));
    copyFileSync(`${path}-wal`, join(directory, 'copy.db-wal'));
    file.close();
    const copy = openStateFile(join(directory, 'copy.db'));
    expect(copy.db.prepare('SELECT x FROM t').pluck().all()).toEqual(['place', 'claim']);
    copy.close();
  });

  test('is the first where nothing is on a disk, and closed with it', () => {
    const memory = openStateFile(':memory:');
    expect(memory.unsynced()).toBe(memory.db);
    memory.close();
    const file = openStateFile(join(directory, 'executor.db'));
    const second = file.unsynced();
    file.close();
    expect(second.open).toBe(false);
  });
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
