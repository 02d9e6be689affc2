import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { type Database, openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { PRIVATE_FILE, privateDatabase, privateFolder } from '@ovn-steward/shared/private-files';
import { sha256Of } from '@ovn-steward/shared/sha256-of';
import { FILES } from '../inputs/state-files';
import { EXPORT_FORMAT, MANIFEST, type Manifest } from './export-manifest';
import { formatsIn } from './state-formats';
import { indentedJson } from '@ovn-steward/shared/indented-json';

/**
 * Readers before the log: each file stands at one moment, so no reader has a position that the log
 * does not reach. What a reader did in between is in the log, and is folded in as after a crash.
 * The collector's file is not among them: its process alone may open it, and the log fills a new
 * one.
 */
const IN_ORDER: readonly string[] = [
  FILES.control,
  FILES.checkpoint,
  FILES.executor,
  FILES.notifier,
  FILES.log,
];

/** A writer holds the file for milliseconds. */
const BUSY_MS = 5000;

export interface ExportOptions {
  readonly stateDir: string;
  /** Made when missing; must be empty. */
  readonly folder: string;
  readonly version: string;
  readonly now: Date;
}

/**
 * Copies the state of `steward run` into a folder, beside the process that writes it or without
 * one. The state directory is only read.
 * @throws Failure `input-not-found` where there is no state, `config-invalid` where the folder
 *   holds anything, `state-corrupt` where a file is damaged, `log-full` where the folder's disk is
 *   full.
 */
export async function exportState(options: ExportOptions): Promise<Manifest> {
  const { stateDir, folder, version, now } = options;
  const cluster = clusterOf(stateDir);
  privateFolder(folder);
  if (readdirSync(folder).length > 0)
    throw new Failure(
      'config-invalid',
      `${folder} is not empty: give --out a folder that is, or that does not exist.`,
    );
  const files: Manifest['files'] = [];
  for (const name of IN_ORDER) {
    const from = join(stateDir, name);
    if (!existsSync(from)) continue;
    const to = join(folder, name);
    const formats = copyDatabase(from, to);
    const { sha256, bytes } = await sha256Of(to);
    files.push({ name, bytes, sha256, formats });
  }
  const manifest = { format: EXPORT_FORMAT, version, cluster, takenAt: now.toISOString(), files };
  writeFileSync(join(folder, MANIFEST), indentedJson(manifest), {
    mode: PRIVATE_FILE,
  });
  return manifest;
}

/** @throws Failure `input-not-found` where no run has used the directory. */
function clusterOf(stateDir: string): string {
  const file = join(stateDir, 'cluster');
  if (!existsSync(file) || !existsSync(join(stateDir, FILES.log)))
    throw new Failure(
      'input-not-found',
      `${stateDir} holds no state of steward run: name another with --state-dir. The services keep theirs on Kafka, and need no export.`,
    );
  return readFileSync(file, 'utf8').trim();
}

/** A copy of what the file holds at one moment. @returns its formats. */
function copyDatabase(from: string, to: string): Record<string, number> {
  let db: Database | undefined;
  try {
    db = openSqliteDatabase(from, { readonly: true, timeout: BUSY_MS });
    privateDatabase(to);
    db.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    const full = error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL';
    throw new Failure(
      full ? 'log-full' : 'state-corrupt',
      full
        ? `${to} cannot grow: free space on its disk, remove the folder and export again.`
        : `${from} cannot be copied to ${to} (${messageOf(error)}): see to its disk and mode.`,
      { cause: error },
    );
  } finally {
    db?.close();
  }
  return inCopy(to);
}

function inCopy(path: string): Record<string, number> {
  const copy = openSqliteDatabase(path, { readonly: true });
  try {
    return formatsIn(copy);
  } finally {
    copy.close();
  }
}
