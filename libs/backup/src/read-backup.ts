import { readDatabaseFile, type Replica } from '@ovn-steward/ovsdb';
import { checkSchema, ovsdbFailure } from '@ovn-steward/systems/ovn/failure';
import { Failure } from '@ovn-steward/shared/errors';
import { sha256Of } from '@ovn-steward/shared/sha256-of';
import { type BackupFacts, readSidecar, sidecarOf } from './sidecar';

/** A backup that was read and is whole. */
export interface ReadBackup {
  readonly path: string;
  readonly replica: Replica;
  /** Undefined for a file of another's making. */
  readonly facts: BackupFacts | undefined;
  /** By what it says; undefined when nothing in it is dated. */
  readonly takenAt: Date | undefined;
  /** Of which database; undefined when the file does not say. */
  readonly identity: string | undefined;
}

/**
 * Reads a database file to restore from: one of this program's, `ovsdb-client backup`'s, or a
 * server's own. It verifies the hash of every record and, where this program's facts lie beside the
 * file, the sha256 of the whole file. A standalone file is identified by its row of NB_Global, a
 * raft member's by its cluster id.
 *
 * @throws Failure `backup-invalid` when the file does not match the facts beside it;
 * `input-not-found`, `input-unreadable`, `input-not-a-database`, `input-truncated`,
 * `input-foreign-schema`.
 */
export async function readBackup(path: string, signal: AbortSignal): Promise<ReadBackup> {
  const read = await readDatabaseFile(path, { signal }).catch((error: unknown) => {
    throw ovsdbFailure(error);
  });
  checkSchema('ovn-nb', read.schema, path);
  const facts = await readSidecar(path);
  if (facts && (await sha256Of(path)).sha256 !== facts.sha256)
    throw new Failure(
      'backup-invalid',
      `${path} is not the file that was verified when it was taken: its sha256 is another than in ${sidecarOf(path)}. Use another backup; or, if the file was exchanged on purpose, move the other one away.`,
    );
  return {
    path,
    replica: read.replica,
    facts,
    takenAt: facts ? new Date(facts.takenAt) : read.asOf,
    identity:
      facts?.identity ?? (read.clusterId === undefined ? undefined : `cid:${read.clusterId}`),
  };
}

/** The row of NB_Global, of which every Northbound has one for as long as it lives. */
function globalRowOf(replica: Replica): string | undefined {
  const [row] = replica.schema.tables.has('NB_Global') ? replica.rows('NB_Global') : [];
  return row?.uuid;
}

const isClusterId = (identity: string | undefined): boolean =>
  identity?.startsWith('cid:') === true;

/**
 * Why the backup is not of this database; undefined when it is. Compares the identity recorded with
 * the backup. Where none is recorded, or one side was no raft cluster (a standalone database made
 * into one keeps its rows), compares the row of NB_Global, which a new database does not share.
 */
export function foreignTo(
  backup: Pick<ReadBackup, 'identity' | 'replica'>,
  live: { readonly identity: string; readonly replica: Replica },
): string | undefined {
  if (backup.identity === live.identity) return undefined;
  const then = globalRowOf(backup.replica);
  const now = globalRowOf(live.replica);
  if (
    then !== undefined &&
    then === now &&
    !(isClusterId(backup.identity) && isClusterId(live.identity))
  )
    return undefined;
  return `it was taken of ${backup.identity ?? (then === undefined ? 'an unknown database' : `nb:${then}`)}, and this is ${live.identity}`;
}
