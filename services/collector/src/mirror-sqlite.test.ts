import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '@ovn-steward/shared/errors';
import { openDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { sqliteMirror } from './mirror-sqlite';
import { describeMirror } from './mirror.contract';

const folder = mkdtempSync(join(tmpdir(), 'mirror-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const file = (): string => join(folder, `${++files}.db`);

describeMirror('sqlite', () => sqliteMirror(file()));

const failure = (open: () => unknown): unknown => {
  try {
    open();
    return undefined;
  } catch (error) {
    return error instanceof Failure ? error.code : error;
  }
};

it('is found again, doubts and epochs included', () => {
  const path = file();
  const before = sqliteMirror(path);
  const epoch = before.openEpoch('s', 'nb', ['A']);
  before.settle('s', [{ kind: 'A', uid: 'a', entry: { hash: 'h', name: 'n' } }]);
  before.doubt('s', [{ kind: 'A', uid: 'b', entry: { hash: 'h', name: 'n' } }]);
  before.close();
  const after = sqliteMirror(path);
  expect(after.get('s', 'A', 'a')?.hash).toBe('h');
  expect(after.get('s', 'A', 'b')?.hash).toBe('');
  expect(after.openEpoch('s', 'nb', ['A'])).toBe(epoch + 1);
  after.close();
});

it('starts above the epochs of a file that was lost', () => {
  const [first, second] = [sqliteMirror(file(), () => 1_000_000), sqliteMirror(file(), () => 1_060_000)];
  let last = 0;
  for (let i = 0; i < 50; i++) last = first.openEpoch('s', 'nb', []);
  expect(second.openEpoch('s', 'nb', [])).toBeGreaterThan(last);
  first.close();
  second.close();
});

it('belongs to one collector at a time', () => {
  const path = file();
  const mine = sqliteMirror(path);
  expect(failure(() => sqliteMirror(path))).toBe('log-locked');
  mine.close();
  sqliteMirror(path).close();
});

it('says so when the file is something else', () => {
  const path = file();
  writeFileSync(path, 'OVSDB JSON 12 and so on, long enough to be looked at as a header of something\n'.repeat(20));
  expect(failure(() => sqliteMirror(path))).toBe('state-corrupt');
});

it('does not read a file of another version', () => {
  const path = file();
  const other = openDatabase(path);
  other.pragma('user_version = 7');
  other.close();
  expect(failure(() => sqliteMirror(path))).toBe('state-corrupt');
});

it('says so when the folder is missing', () => {
  expect(failure(() => sqliteMirror(join(folder, 'nowhere', 'x.db')))).toBe('config-invalid');
});
