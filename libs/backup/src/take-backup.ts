import { lstat, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  OvsdbError,
  readDatabaseFile,
  syncDirectoryOf,
  writeStandaloneFile,
} from '@ovn-steward/ovsdb';
import { ovsdbFailure } from '@ovn-steward/systems/ovn/failure';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { privateFolder } from '@ovn-steward/shared/private-files';
import { backupName } from './backup-name';
import { BAD } from './retention';
import type { NorthboundSnapshot } from './snapshot';
import { firstDifference } from './same-content';
import { sha256Of } from '@ovn-steward/shared/sha256-of';
import { type BackupFacts, sidecarOf, writeSidecar } from './sidecar';

export interface BackupOrder {
  readonly snapshot: NorthboundSnapshot;
  /** The cluster's name, for the file's. */
  readonly cluster: string;
  readonly at: Date;
  /**
   * A folder, made when missing, in which the file gets its name by cluster and time; or the file
   * itself.
   */
  readonly to: { readonly folder: string } | { readonly file: string };
  /** Called between writing and verifying; a test damages the file here. */
  readonly written?: (path: string) => Promise<void>;
}

export interface Backup {
  readonly path: string;
  readonly facts: BackupFacts;
}

/** @throws the error of the file system where it cannot say. */
const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

/** @throws Failure `backup-invalid` when the backup or its facts would replace a file. */
async function refuseReplacing(path: string): Promise<void> {
  for (const file of [path, sidecarOf(path)])
    if (await exists(file))
      throw new Failure(
        'backup-invalid',
        `${file} exists already and is left as it is. Name another file.`,
      );
}

/**
 * Writes a snapshot as a standalone database file that ovsdb-server starts from, reads it back,
 * compares every table, row and column with the snapshot, and only then gives it its name and writes
 * its facts beside it. So a file of that name is a verified backup.
 *
 * @throws Failure `backup-invalid`: the file could not be written (nothing is left behind); a file
 * of that name, or of its facts' name, exists; the content read back differs, and the file is kept
 * with the suffix `.bad` for diagnosis; or the folder could not be flushed to disk, and the backup
 * is there.
 */
export async function takeBackup({
  snapshot,
  cluster,
  at,
  to,
  written,
}: BackupOrder): Promise<Backup> {
  const path = 'file' in to ? to.file : join(to.folder, backupName(cluster, at));
  const part = `${path}.part`;
  let facts: BackupFacts;
  let ownsSidecar = false;
  if ('folder' in to) makeFolder(to.folder);
  try {
    await refuseReplacing(path);
    await writeStandaloneFile(part, snapshot.schema.json, snapshot.replica, {
      comment: `ovn-steward backup of cluster ${cluster}, database ${snapshot.identity}, taken at ${at.toISOString()}`,
      date: at,
    }).catch(unlessUnflushed);
    await written?.(part);
    await verify(part, path, snapshot);
    facts = await factsOf(part, { snapshot, cluster, at });
    ownsSidecar = true;
    await writeSidecar(path, facts);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    if (error instanceof Failure) throw error;
    if (ownsSidecar) await rm(sidecarOf(path), { force: true }).catch(() => undefined);
    // An OvsdbError already says what to check.
    const reason =
      error instanceof OvsdbError
        ? error.message
        : `${messageOf(error)}. Check that the folder is writable and its disk has free space.`;
    throw new Failure('backup-invalid', `No backup was taken into ${dirname(path)}: ${reason}`, {
      cause: error,
    });
  }
  await syncBackup(path);
  return { path, facts };
}

/**
 * A folder that holds other files keeps its mode: a backup and its facts are 0600 anyway.
 * @throws Failure `backup-invalid`.
 */
function makeFolder(folder: string): void {
  try {
    privateFolder(folder);
  } catch (error) {
    throw new Failure('backup-invalid', `No backup was taken: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** @throws Failure `backup-invalid`. */
async function verify(part: string, path: string, { replica }: NorthboundSnapshot): Promise<void> {
  const wrong = await readDatabaseFile(part).then(
    (read) => firstDifference(replica, read.replica),
    (error: unknown) => messageOf(ovsdbFailure(error)),
  );
  if (wrong === undefined) return;
  await rename(part, `${path}${BAD}`);
  throw new Failure(
    'backup-invalid',
    `The backup does not hold what was read (${wrong}): it was renamed to ${path}${BAD}; do not restore from it. Check the disk, then take another.`,
  );
}

async function factsOf(
  part: string,
  {
    snapshot: { identity, schema, replica },
    cluster,
    at,
  }: Pick<BackupOrder, 'snapshot' | 'cluster' | 'at'>,
): Promise<BackupFacts> {
  const rows = Object.fromEntries(
    [...schema.tables.keys()]
      .map((table) => [table, replica.size(table)] as const)
      .filter(([, count]) => count > 0),
  );
  return {
    version: 1,
    cluster,
    identity,
    schema: { name: schema.name, version: schema.version },
    rows,
    ...(await sha256Of(part)),
    takenAt: at.toISOString(),
  };
}

/** The folder is flushed once more when the file has its name. */
function unlessUnflushed(error: unknown): void {
  if (!(error instanceof OvsdbError && error.code === 'unflushed')) throw error;
}

/** @throws Failure `backup-invalid` where the new name may not outlast a power failure. */
const syncBackup = (path: string): Promise<void> =>
  syncDirectoryOf(path).catch((error: unknown) => {
    throw new Failure(
      'backup-invalid',
      `${path} was written and verified, but its folder could not be flushed to disk (${messageOf(error)}): a power failure may lose it. Check the disk.`,
      { cause: error },
    );
  });
