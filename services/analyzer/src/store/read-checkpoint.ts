import { existsSync } from 'node:fs';
import type { StreamState } from '@ovn-steward/judgement/world/streams';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { type Database, openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { sqliteCode } from '@ovn-steward/shared/log/sqlite-failure';

/** What a checkpoint says, read beside the analyzer that writes it. */
export interface CheckpointContents {
  /** Of every cluster in the partition. */
  readonly findings: readonly Finding[];
  /** What was read of each stream, of every cluster in the partition. */
  readonly streams: readonly StreamFreshness[];
}

/** Up to when a stream is known. */
export interface StreamFreshness {
  readonly cluster: string;
  readonly source: string;
  /** `listing`, `complete`, `unavailable`. */
  readonly state: string;
  /** RFC 3339, on the source's clock; empty until it said so. */
  readonly observedThrough: string;
}

/**
 * Reads a checkpoint without disturbing its writer.
 * @throws Failure as `onCheckpoint` does.
 */
export function readCheckpoint(path: string): CheckpointContents {
  return onCheckpoint(path, (db) => {
    const rows = db.prepare<[], { finding: string }>('SELECT finding FROM finding').all();
    const streams = db
      .prepare<[], { cluster: string; state: string }>('SELECT cluster, state FROM stream')
      .all();
    return {
      findings: rows.map((it) => JSON.parse(it.finding) as Finding),
      streams: streams.map(({ cluster, state }) => freshnessOf(cluster, state)),
    };
  });
}

/**
 * Queries a checkpoint as it stands at one moment, beside its writer.
 * @throws Failure `input-not-found`, `input-unreadable`, `log-locked`, `state-corrupt`.
 */
export function onCheckpoint<T>(path: string, query: (db: Database) => T): T {
  if (!existsSync(path))
    throw new Failure(
      'input-not-found',
      `${path} does not exist; start \`steward run\` with this state directory first, or name another with --state-dir`,
    );
  try {
    const db = openSqliteDatabase(path, { readonly: true, timeout: 5000 });
    try {
      return db.transaction(() => {
        // The tables and the version are made in one transaction, which has not ended yet.
        if (db.pragma('user_version', { simple: true }) === 0)
          throw new Failure(
            'input-not-found',
            `${path} holds nothing yet: \`steward run\` makes it when it starts; try again in a moment`,
          );
        return query(db);
      })();
    } finally {
      db.close();
    }
  } catch (error) {
    throw error instanceof Failure ? error : readingFailure(path, error);
  }
}

function readingFailure(path: string, error: unknown): Failure {
  const code = sqliteCode(error) ?? '';
  const why = messageOf(error);
  if (code.startsWith('SQLITE_BUSY'))
    return new Failure(
      'log-locked',
      `${path} is in use by another process (${why}); try again in a moment`,
      { cause: error },
    );
  if (UNOPENED.some((it) => code.startsWith(it)))
    return new Failure(
      'input-unreadable',
      `${path} cannot be opened (${why}); read it as the user that steward run runs as, and check its owner, mode and disk`,
      { cause: error },
    );
  return new Failure(
    'state-corrupt',
    `${path} cannot be read as a checkpoint (${why}); if steward run cannot read it either, move it away and start again: it is rebuilt from the log`,
    { cause: error },
  );
}

/** The file may be whole: its owner, mode, folder or disk keeps us from reading it. */
const UNOPENED = ['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM', 'SQLITE_IOERR'];

function freshnessOf(cluster: string, json: string): StreamFreshness {
  const { source, completeness, observedThrough } = JSON.parse(json) as StreamState;
  return { cluster, source, state: completeness.state, observedThrough };
}
