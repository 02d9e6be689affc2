import { copyFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { lockFile } from '@ovn-steward/shared/log/file-lock';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { PRIVATE_FILE, privateDatabase, privateFolder } from '@ovn-steward/shared/private-files';
import { sha256Of } from '@ovn-steward/shared/sha256-of';
import { FILES } from '../inputs/state-files';
import { type Manifest, readManifest } from './export-manifest';
import { formatsIn, STATE_FORMATS } from './state-formats';

/** What a fresh volume may hold, and what a program that was refused leaves. */
const NO_STATE = /^(?:lost\+found|.*-lock(?:-journal)?)$/;

const PART = '.part';

export interface Imported {
  readonly manifest: Manifest;
  /** What is built again from the log at the next start, as `<file> (<part>)`. */
  readonly rebuilt: readonly string[];
}

/**
 * Puts an export into a state directory that holds no state yet. The export is only read.
 * @throws Failure `input-not-found` or `input-unreadable` where the folder is no whole export,
 *   `config-invalid` where the directory is in use already, `log-locked` while a run starts there.
 */
export async function importState(folder: string, stateDir: string): Promise<Imported> {
  const manifest = readManifest(folder);
  const rebuilt = manifest.files.flatMap((it) => otherFormats(it, folder));
  for (const file of manifest.files) await checkFile(join(folder, file.name), file);
  privateFolder(stateDir);
  const lock = lockFile(join(stateDir, FILES.log));
  try {
    requireEmpty(stateDir);
    place(folder, stateDir, manifest);
  } finally {
    lock.release();
  }
  return { manifest, rebuilt };
}

/** @throws Failure `config-invalid`. */
function requireEmpty(stateDir: string): void {
  const found = readdirSync(stateDir).filter((it) => !NO_STATE.test(it));
  if (found.length > 0)
    throw new Failure(
      'config-invalid',
      `The state directory ${stateDir} is not empty (${found.slice(0, 3).join(', ')}): name another with --state-dir, or move what is in it away.`,
    );
}

/**
 * All are copied before the first gets its name, so that a directory with state in it has all of
 * it, unless the machine stops between two renames.
 */
function place(folder: string, stateDir: string, { files, cluster }: Manifest): void {
  for (const { name } of files) {
    const to = join(stateDir, name + PART);
    privateDatabase(to);
    copyFileSync(join(folder, name), to);
  }
  writeFileSync(join(stateDir, 'cluster'), `${cluster}\n`, { mode: PRIVATE_FILE });
  for (const { name } of files) renameSync(join(stateDir, name + PART), join(stateDir, name));
}

type ExportedFile = Manifest['files'][number];

/** The parts that this version does not read as they are. @throws Failure `input-unreadable`. */
function otherFormats({ name, formats }: ExportedFile, folder: string): string[] {
  return STATE_FORMATS.filter((it) => it.file === name).flatMap(({ part, version, ...format }) => {
    const found = formats[part];
    if (found === undefined || found === version) return [];
    const fate = found > version ? format.newer : format.older;
    if (fate === 'refused')
      throw new Failure(
        'input-unreadable',
        `${join(folder, name)} has format ${found}, and this version knows ${version}: import it with the version that wrote it.`,
      );
    return fate === 'rebuilt' ? [`${name} (${part})`] : [];
  });
}

/** @throws Failure `input-unreadable` unless the file is as it was exported. */
async function checkFile(path: string, { bytes, sha256, formats }: ExportedFile): Promise<void> {
  const damaged = (what: string, cause?: unknown): Failure =>
    new Failure('input-unreadable', `${path} ${what}: copy or export it again.`, { cause });
  try {
    const found = await sha256Of(path);
    if (found.bytes !== bytes || found.sha256 !== sha256) throw damaged('is not what was exported');
    const db = openSqliteDatabase(path, { readonly: true });
    try {
      if (db.pragma('quick_check', { simple: true }) !== 'ok') throw damaged('is damaged');
      if (JSON.stringify(formatsIn(db)) !== JSON.stringify(formats))
        throw damaged('does not have the formats that export.json names');
    } finally {
      db.close();
    }
  } catch (error) {
    throw error instanceof Failure ? error : damaged(`cannot be read (${messageOf(error)})`, error);
  }
}
