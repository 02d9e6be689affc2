import { Failure } from '@ovn-steward/shared/errors';
import { type Database, openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { inStateFile } from '@ovn-steward/shared/log/state-file';
import type {
  LogMirror,
  LogPlace,
  MirrorEntry,
  MirrorFold,
  MirrorWrite,
  MirroredPosition,
} from './mirror';
import { mirrorFailure } from './mirror-failure';

const VERSION = 3;

const TABLES = `
  CREATE TABLE stream (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, source TEXT NOT NULL, kinds TEXT NOT NULL,
    opened INTEGER NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE entry (
    id INTEGER PRIMARY KEY, stream TEXT NOT NULL, kind TEXT NOT NULL, uid TEXT NOT NULL,
    namespace TEXT, name TEXT NOT NULL, hash TEXT NOT NULL,
    UNIQUE (uid, kind, stream)
  ) STRICT;
  CREATE TABLE place (next INTEGER NOT NULL) STRICT;
  INSERT INTO place VALUES (0);
  PRAGMA user_version = ${VERSION};
`;

/**
 * The log knows all that is in a file of another version, older or newer: the first version knew no
 * place in the log, and the second may have taken an epoch for given that no collector can have had
 * (`change-bounds.ts`), after which none is left.
 */
const FORGET_OLDER =
  'DROP TABLE IF EXISTS stream; DROP TABLE IF EXISTS entry; DROP TABLE IF EXISTS origin; DROP TABLE IF EXISTS place;';

/**
 * A mirror in a file, owned by one process at a time. It may be lost: the log fills a new one
 * (`catchUpMirror`).
 *
 * @throws Failure `log-locked` while another process has the file, `state-corrupt` when it is none
 *   of ours, `config-invalid` when it cannot be made; also later `log-full` when its disk has no room
 *   for it.
 */
export function sqliteMirror(path: string): LogMirror {
  const db = open(path);
  const sql = statements(db);
  const { commit, fold, reset } = transactions(db, sql);
  let position = BigInt((sql.position.get() as { next: number }).next);

  return {
    openEpoch: (stream, { id, source }, kinds, atLeast) =>
      inStateFile(path, () =>
        openEpoch(db, sql, { stream, owner: id, source, kinds: JSON.stringify(kinds), atLeast }),
      ),
    streamsOf: ({ id, source }) =>
      (sql.streamsOf.all(id, source) as { name: string; kinds: string }[]).map((row) => ({
        stream: row.name,
        kinds: JSON.parse(row.kinds) as string[],
      })),
    get: (stream, kind, uid) => entryOf(sql.get.get(uid, kind, stream) as EntryRow | undefined),
    keys: (stream) => sql.keys.iterate(stream) as Iterable<[string, string]>,
    commit(stream, writes, place) {
      const next = nextAfter(position, place);
      inStateFile(path, () => commit(stream, writes, next === position ? undefined : place, next));
      position = next;
    },
    position: () => position,
    positionOf: (stream) => sql.positionOf.get(stream) as MirroredPosition | undefined,
    streamHolding: (source, kind) =>
      (sql.streamHolding.get(source, kind) as { name: string } | undefined)?.name,
    fold(next, work) {
      inStateFile(path, () => fold(next, work));
      position = next;
    },
    reset() {
      inStateFile(path, () => reset());
      position = 0n;
    },
    close: () => void db.close(),
  };
}

interface EntryRow {
  readonly hash: string;
  readonly namespace: string | null;
  readonly name: string;
}

const entryOf = (row: EntryRow | undefined): MirrorEntry | undefined =>
  row && {
    hash: row.hash,
    name: row.name,
    ...(row.namespace !== null && { namespace: row.namespace }),
  };

/** Where the position is after changes were published there: the same where they do not follow it. */
const nextAfter = (position: bigint, place: LogPlace | undefined): bigint =>
  place?.offsets.length === 1 && place.offsets[0]?.first === position
    ? place.offsets[0].next
    : position;

function openEpoch(
  db: Database,
  sql: Statements,
  values: Readonly<Record<'stream' | 'owner' | 'source' | 'kinds', string>> & {
    readonly atLeast: number;
  },
): number {
  db.pragma('synchronous = FULL'); // waits for the disk, as nothing else needs to
  try {
    return (sql.openEpoch.get(values) as { opened: number }).opened;
  } finally {
    db.pragma('synchronous = NORMAL');
  }
}

/** What is done whole or not at all. */
function transactions(db: Database, sql: Statements) {
  const into = writingBy(sql);
  return {
    /** With a place, the position moves to `next`. */
    commit: db.transaction(
      (
        stream: string,
        writes: readonly MirrorWrite[],
        place: LogPlace | undefined,
        next: bigint,
      ) => {
        for (const mirrorWrite of writes) into.write(stream, mirrorWrite);
        if (!place) return;
        sql.move.run(next);
        sql.setPosition.run(place.epoch, place.seq, stream);
      },
    ),
    fold: db.transaction((next: bigint, work: (into: MirrorFold) => void) => {
      work(into);
      sql.move.run(next);
    }),
    reset: db.transaction(() =>
      db.exec('DELETE FROM entry; UPDATE place SET next = 0; UPDATE stream SET epoch = 0, seq = 0'),
    ),
  };
}

const writingBy = (sql: Statements): MirrorFold => ({
  write(stream, { kind, uid, entry }) {
    if (entry) sql.put.run(stream, kind, uid, entry.namespace ?? null, entry.name, entry.hash);
    else sql.remove.run(uid, kind, stream);
  },
  updateStream: ({ stream, source, epoch, seq, kinds }) =>
    void sql.updateStream.run({
      stream,
      source,
      epoch,
      seq,
      kinds: kinds ? JSON.stringify(kinds) : null,
    }),
});

type Statements = ReturnType<typeof statements>;

const statements = (db: Database) => ({
  position: db.prepare('SELECT next FROM place'),
  move: db.prepare('UPDATE place SET next = ?'),
  openEpoch: db.prepare(
    `INSERT INTO stream (name, owner, source, kinds, opened, epoch, seq) VALUES (@stream, @owner, @source, @kinds, max(1, @atLeast), 0, 0)
     ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, source = excluded.source, opened = max(stream.opened + 1, @atLeast), kinds = excluded.kinds
     RETURNING opened`,
  ),
  updateStream: db.prepare(
    `INSERT INTO stream (name, owner, source, kinds, opened, epoch, seq) VALUES (@stream, '', @source, coalesce(@kinds, '[]'), @epoch, @epoch, @seq)
     ON CONFLICT (name) DO UPDATE SET source = excluded.source, opened = max(stream.opened, @epoch), epoch = @epoch, seq = @seq, kinds = coalesce(@kinds, stream.kinds)`,
  ),
  setPosition: db.prepare('UPDATE stream SET epoch = ?, seq = ? WHERE name = ?'),
  positionOf: db.prepare('SELECT epoch, seq, opened FROM stream WHERE name = ?'),
  streamHolding: db.prepare(
    'SELECT name FROM stream WHERE source = ? AND EXISTS (SELECT 1 FROM json_each(stream.kinds) WHERE value = ?) ORDER BY id',
  ),
  streamsOf: db.prepare(
    `SELECT name, kinds FROM stream WHERE owner = ? OR (owner = '' AND source = ?) ORDER BY id`,
  ),
  get: db.prepare(
    'SELECT hash, namespace, name FROM entry WHERE uid = ? AND kind = ? AND stream = ?',
  ),
  keys: db.prepare('SELECT kind, uid FROM entry WHERE stream = ?').raw(),
  put: db.prepare(
    `INSERT INTO entry (stream, kind, uid, namespace, name, hash) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (uid, kind, stream) DO UPDATE SET namespace = excluded.namespace, name = excluded.name, hash = excluded.hash`,
  ),
  remove: db.prepare('DELETE FROM entry WHERE uid = ? AND kind = ? AND stream = ?'),
});

function open(path: string): Database {
  let db: Database | undefined;
  try {
    db = openSqliteDatabase(path, { timeout: 100 });
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL'); // a power failure takes the newest transactions, whole
    db.pragma('cache_size = -16000');
    prepare(db, path);
    return db;
  } catch (error) {
    db?.close();
    throw error instanceof Failure ? error : mirrorFailure(path, error);
  }
}

function prepare(db: Database, path: string): void {
  const version = db.pragma('user_version', { simple: true });
  if (version === VERSION) return;
  if (version !== 0 && !isMirror(db))
    throw new Failure(
      'state-corrupt',
      `${path} is a database, but not a collector’s: remove the file, and the next start makes it from the log; or give another state directory.`,
    );
  db.transaction(() => db.exec(FORGET_OLDER + TABLES))();
}

/** Whether a version of the collector made it, also a later one that was rolled back. */
const isMirror = (db: Database): boolean =>
  db
    .prepare<[], { count: number }>(
      "SELECT count(*) AS count FROM sqlite_master WHERE type = 'table' AND name IN ('stream', 'entry')",
    )
    .get()?.count === 2;
