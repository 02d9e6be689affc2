import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { type Database, openDatabase } from '@ovn-steward/shared/log/sqlite-database';
import type { Mirror, MirrorEntry, MirrorWrite } from './mirror';

const VERSION = 1;

const TABLES = `
  CREATE TABLE stream (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, epoch INTEGER NOT NULL, kinds TEXT NOT NULL
  ) STRICT;
  CREATE TABLE entry (
    id INTEGER PRIMARY KEY, stream TEXT NOT NULL, kind TEXT NOT NULL, uid TEXT NOT NULL,
    namespace TEXT, name TEXT NOT NULL, hash TEXT NOT NULL,
    UNIQUE (uid, kind, stream)
  ) STRICT;
  CREATE TABLE origin (epoch INTEGER NOT NULL) STRICT;
`;

/**
 * A mirror in a file, owned by one process at a time: a second one is refused with `log-locked`.
 *
 * @param now milliseconds since 1970. A new file's epochs start at its seconds, so that a collector whose file was lost is still newer
 *   than all it ever told, provided it used less than one epoch a second.
 */
export function sqliteMirror(path: string, now: () => number = Date.now): Mirror {
  const db = open(path, now);
  const sql = statements(db);
  const atomically = (work: (stream: string, write: MirrorWrite) => void) =>
    db.transaction((stream: string, writes: readonly MirrorWrite[]) => writes.forEach((write) => work(stream, write)));
  const put = (stream: string, { kind, uid }: MirrorWrite, entry: MirrorEntry, hash: string): void =>
    void sql.put.run(stream, kind, uid, entry.namespace ?? null, entry.name, hash);
  const settle = atomically((stream, write) => {
    if (write.entry) put(stream, write, write.entry, write.entry.hash);
    else sql.remove.run(write.uid, write.kind, stream);
  });

  return {
    openEpoch: (stream, source, kinds) =>
      (sql.openEpoch.get({ stream, source, kinds: JSON.stringify(kinds) }) as { epoch: number }).epoch,
    streamsOf: (source) =>
      (sql.streamsOf.all(source) as { name: string; kinds: string }[]).map((it) => ({ stream: it.name, kinds: JSON.parse(it.kinds) as string[] })),
    get(stream, kind, uid) {
      const row = sql.get.get(uid, kind, stream) as { hash: string; namespace: string | null; name: string } | undefined;
      return row && { hash: row.hash, name: row.name, ...(row.namespace !== null && { namespace: row.namespace }) };
    },
    keys: (stream) => sql.keys.iterate(stream) as Iterable<[string, string]>,
    doubt: atomically((stream, write) => {
      if (write.entry) put(stream, write, write.entry, '');
      else sql.forget.run(write.uid, write.kind, stream);
    }),
    settle(stream, writes) {
      db.pragma('synchronous = NORMAL'); // spares one of two waits for the disk; see `Mirror`
      try {
        settle(stream, writes);
      } finally {
        db.pragma('synchronous = FULL');
      }
    },
    close: () => void db.close(),
  };
}

const statements = (db: Database) => ({
  openEpoch: db.prepare(
    `INSERT INTO stream (name, source, epoch, kinds) VALUES (@stream, @source, (SELECT epoch FROM origin) + 1, @kinds)
     ON CONFLICT (name) DO UPDATE SET source = excluded.source, epoch = stream.epoch + 1, kinds = excluded.kinds RETURNING epoch`,
  ),
  streamsOf: db.prepare('SELECT name, kinds FROM stream WHERE source = ? ORDER BY id'),
  get: db.prepare('SELECT hash, namespace, name FROM entry WHERE uid = ? AND kind = ? AND stream = ?'),
  keys: db.prepare('SELECT kind, uid FROM entry WHERE stream = ?').raw(),
  put: db.prepare(
    `INSERT INTO entry (stream, kind, uid, namespace, name, hash) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (uid, kind, stream) DO UPDATE SET namespace = excluded.namespace, name = excluded.name, hash = excluded.hash`,
  ),
  forget: db.prepare(`UPDATE entry SET hash = '' WHERE uid = ? AND kind = ? AND stream = ?`),
  remove: db.prepare('DELETE FROM entry WHERE uid = ? AND kind = ? AND stream = ?'),
});

function open(path: string, now: () => number): Database {
  let db: Database | undefined;
  try {
    db = openDatabase(path, { timeout: 1000 });
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('cache_size = -16000');
    prepare(db, path, now);
    return db;
  } catch (error) {
    db?.close();
    throw error instanceof Failure ? error : unusable(path, error);
  }
}

function prepare(db: Database, path: string, now: () => number): void {
  const version = db.pragma('user_version', { simple: true });
  if (version === VERSION) return;
  if (version !== 0) throw new Failure('state-corrupt', `${path} was written by another version of the collector (${String(version)}, this one reads ${VERSION}). Use that version, or remove the file: the next start reads everything anew.`);
  db.transaction(() => {
    db.exec(TABLES);
    db.prepare('INSERT INTO origin (epoch) VALUES (?)').run(Math.floor(now() / 1000));
    db.pragma(`user_version = ${VERSION}`);
  })();
}

function unusable(path: string, cause: unknown): Error {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  if (code.startsWith('SQLITE_BUSY')) return new Failure('log-locked', `${path} is in use by another collector. Stop it first, or give this one its own data directory.`, { cause });
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return new Failure('state-corrupt', `${path} is not a readable collector state (${messageOf(cause)}). Remove the file: the next start reads everything anew.`, { cause });
  return new Failure('config-invalid', `Cannot open the collector state ${path}: ${messageOf(cause)}. Check that the directory exists and may be written.`, { cause });
}
