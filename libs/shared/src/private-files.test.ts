import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimFolder } from './claim-folder';
import { openSqliteDatabase } from './log/sqlite-database';
import { openSqliteLog } from './log/sqlite-log';
import { TOPICS } from './log/topics';
import { privateDatabase, privateFolder } from './private-files';

let base: string;
let umask: number;
beforeEach(() => {
  umask = process.umask(0); // so that only what the code asks for is seen
  base = mkdtempSync(join(tmpdir(), 'private-'));
});
afterEach(() => {
  process.umask(umask);
  rmSync(base, { recursive: true });
});

const rights = (path: string): string => (statSync(path).mode & 0o1777).toString(8);

test('a new folder, and those above it that were missing, are their owner’s alone', () => {
  const folder = join(base, 'a', 'b');
  expect(privateFolder(folder)).toBeUndefined();
  expect([rights(folder), rights(join(base, 'a'))]).toEqual(['700', '700']);
});

test.each([
  ['is a file', 'file'],
  ['lies in a file', 'file/state'],
])('a folder that %s is refused in a sentence', (_, path) => {
  writeFileSync(join(base, 'file'), '');
  expect(() => privateFolder(join(base, path))).toThrow(
    `${join(base, path)} cannot be used as a folder: it, or a part of its path, is a file; name another folder, or move that file away.`,
  );
});

// Of Linux alone: Node's own way to make it never returns.
if (existsSync('/proc/self'))
  test.each(['/proc/x', '/proc/x/y', '/proc/self/fd/x/y'])(
    'a folder that its file system does not take is refused in a sentence: %s',
    (folder) =>
      expect(() => privateFolder(folder)).toThrow(
        `${folder} cannot be used as a folder: the file system there takes no new folder; name another folder.`,
      ),
  );

test('a wider folder is tightened when nothing but state files is in it', () => {
  const folder = join(base, 'state');
  mkdirSync(folder, { mode: 0o755 });
  for (const name of ['cluster', 'executor.db', 'executor.db-wal', 'executor.db-lock'])
    writeFileSync(join(folder, name), '');
  expect(privateFolder(folder)).toBeUndefined();
  expect(rights(folder)).toBe('700');
});

test.each([
  ['holds files of others', 0o755, 'notes.txt', 'it is not for state files alone'],
  ['is everybody’s', 0o1777, 'executor.db', 'it is not for state files alone'],
])('a folder that %s is left, and reported', (_, mode, name, why) => {
  const folder = join(base, 'shared');
  mkdirSync(folder);
  writeFileSync(join(folder, name), '');
  chmodSync(folder, mode);
  expect(privateFolder(folder)).toMatch(
    new RegExp(`may enter ${folder}, and ${why}.*chmod 700 on it, or give another folder`),
  );
  expect(rights(folder)).toBe(mode.toString(8));
});

test('a database is its owner’s alone, and so is what SQLite keeps beside it', () => {
  const file = join(base, 'new.db');
  const db = openSqliteDatabase(file);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE t (x)');
  expect(['', '-wal', '-shm'].map((it) => rights(file + it))).toEqual(['600', '600', '600']);
  db.close();
});

test('a database with wider rights is tightened with what lies beside it', () => {
  const file = join(base, 'old.db');
  for (const suffix of ['', '-wal', '-shm']) writeFileSync(file + suffix, '', { mode: 0o664 });
  privateDatabase(file);
  expect(['', '-wal', '-shm'].map((it) => rights(file + it))).toEqual(['600', '600', '600']);
});

test('what only reads makes and changes nothing', () => {
  const file = join(base, 'read.db');
  expect(() => openSqliteDatabase(file, { readonly: true })).toThrow();
  expect(existsSync(file)).toBe(false);
  openSqliteDatabase(file).close();
  chmodSync(file, 0o644);
  openSqliteDatabase(file, { readonly: true }).close();
  expect(rights(file)).toBe('644');
});

test('the embedded log, its lock and the cluster’s name are their owner’s alone', async () => {
  const folder = join(base, 'state');
  const log = openSqliteLog({ file: join(folder, 'log.db') });
  await log.ensureTopics(TOPICS);
  claimFolder(folder, 'berlin');
  expect(
    ['', 'log.db', 'log.db-wal', 'log.db-lock', 'cluster'].map((it) => rights(join(folder, it))),
  ).toEqual(['700', '600', '600', '600', '600']);
  await log.close();
});
