import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '@ovn-steward/shared/errors';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import type { LogMirror, MirrorWrite } from './mirror';
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

const nb = { id: 'nb', source: 'ovn-nb' } as const;

it('is found again, what is in doubt, epochs and position included', () => {
  const path = file();
  const before = sqliteMirror(path);
  const epoch = before.openEpoch('s', nb, ['A'], 0);
  before.commit('s', [{ kind: 'A', uid: 'a', entry: { hash: 'h', name: 'n' } }], {
    offsets: [{ first: 0n, next: 4n }],
    epoch,
    seq: 3,
  });
  before.commit('s', [{ kind: 'A', uid: 'b', entry: { hash: '', name: 'n' } }]);
  before.close();
  const after = sqliteMirror(path);
  expect(after.get('s', 'A', 'a')?.hash).toBe('h');
  expect(after.get('s', 'A', 'b')?.hash).toBe('');
  expect(after.position()).toBe(4n);
  expect(after.positionOf('s')).toMatchObject({ epoch, seq: 3 });
  expect(after.openEpoch('s', nb, ['A'], 0)).toBe(epoch + 1);
  after.close();
});

it('keeps nothing of a fold that failed', () => {
  const mirror = sqliteMirror(file());
  const failing = (): void =>
    mirror.fold(9n, (into) => {
      into.write('s', { kind: 'A', uid: 'a', entry: { hash: 'h', name: 'n' } });
      throw new Error('in the middle');
    });
  expect(failing).toThrow('in the middle');
  expect([mirror.position(), mirror.get('s', 'A', 'a')]).toEqual([0n, undefined]);
  mirror.close();
});

describe('when its disk is full', () => {
  /** As SQLite says it in the middle of a step. */
  const full = (): never => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  const writes = { [Symbol.iterator]: full } as unknown as readonly MirrorWrite[];

  it.each<[string, (mirror: LogMirror) => unknown]>([
    ['commits', (it) => it.commit('s', writes)],
    ['folds', (it) => it.fold(9n, full)],
    ['opens an epoch', (it) => it.openEpoch('s', nb, [{ toJSON: full } as unknown as string], 0)],
  ])('it says so as it %s, keeps its position, and goes on later', (_, step) => {
    const mirror = sqliteMirror(file());
    expect(failure(() => step(mirror))).toBe('log-full');
    expect(mirror.position()).toBe(0n);
    mirror.fold(4n, () => undefined);
    expect(mirror.position()).toBe(4n);
    mirror.close();
  });
});

it('begins again with a file of the first version, which the log knows all of', () => {
  const path = file();
  const first = openSqliteDatabase(path);
  first.exec(
    `CREATE TABLE stream (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE entry (id INTEGER PRIMARY KEY, uid TEXT); CREATE TABLE origin (epoch INTEGER); PRAGMA user_version = 1`,
  );
  first.close();
  const mirror = sqliteMirror(path);
  expect([mirror.position(), mirror.openEpoch('s', nb, [], 0)]).toEqual([0n, 1]);
  mirror.close();
});

it('begins again with a file of the second version, whose epochs may be forged ones', () => {
  const path = file();
  const before = sqliteMirror(path);
  before.openEpoch('s', nb, ['A'], Number.MAX_SAFE_INTEGER - 1);
  before.close();
  const second = openSqliteDatabase(path);
  second.pragma('user_version = 2');
  second.close();
  const mirror = sqliteMirror(path);
  expect([mirror.position(), mirror.openEpoch('s', nb, [], 0)]).toEqual([0n, 1]);
  mirror.close();
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
  writeFileSync(
    path,
    'OVSDB JSON 12 and so on, long enough to be taken for a header of something\n'.repeat(20),
  );
  expect(failure(() => sqliteMirror(path))).toBe('state-corrupt');
});

it('is built again where a later version wrote it, as after a rollback', () => {
  const path = file();
  const mine = sqliteMirror(path);
  mine.openEpoch('s', nb, [], 5);
  mine.close();
  const later = openSqliteDatabase(path);
  later.exec('ALTER TABLE stream ADD COLUMN weight INTEGER');
  later.pragma('user_version = 7');
  later.close();
  const mirror = sqliteMirror(path);
  expect([mirror.position(), mirror.openEpoch('s', nb, [], 0)]).toEqual([0n, 1]);
  mirror.close();
});

it('does not touch the database of another program', () => {
  const path = file();
  const other = openSqliteDatabase(path);
  other.pragma('user_version = 7');
  other.exec('CREATE TABLE stream (water TEXT)');
  other.close();
  expect(failure(() => sqliteMirror(path))).toBe('state-corrupt');
});

it('says so when the folder is missing', () => {
  expect(failure(() => sqliteMirror(join(folder, 'nowhere', 'x.db')))).toBe('config-invalid');
});
