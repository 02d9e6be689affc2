import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from './errors';
import { whyNoFolder } from './file-trouble';

/**
 * What we keep shows every pod, address and decision of a cluster: only its owner may read and
 * write it.
 */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

const OF_OTHERS = 0o077;
/** On a folder in which many users have files, such as /tmp. */
const STICKY = 0o1000;

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

/**
 * SQLite gives the two files it keeps beside a database the rights of that database, but only those
 * it makes from then on.
 */
const BESIDE = ['', '-wal', '-shm', '-journal'];

/**
 * Makes sure that a database file can be read and written by its owner only: makes it so when
 * missing, tightens it and what SQLite keeps beside it otherwise. A file of another owner is left
 * as it is. Existing files are never opened here: closing one would drop the POSIX locks this
 * process holds on it.
 *
 * @throws the system's error when a missing file cannot be made.
 */
export function privateDatabase(file: string): void {
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE));
    return;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  for (const suffix of BESIDE) tighten(`${file}${suffix}`);
}

/**
 * What a folder of ours holds: databases and backups with what lies beside them, and the cluster's
 * name.
 */
const OURS =
  /^(?:cluster|[\w.-]+\.db(?:-(?:wal|shm|journal|lock|lock-journal)|\.(?:json|part|bad))?)$/;

/**
 * Makes a folder with mode 0700, with the folders above it that are missing; one that is there is
 * left as it is. Not `mkdir` with `recursive`: Node's never returns where a file system answers
 * ENOENT though the folder above exists, as procfs does.
 *
 * @throws the system's error.
 */
export function makePrivateFolder(folder: string): void {
  const above = dirname(folder);
  if (!existsSync(above)) makePrivateFolder(above);
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/**
 * Makes a folder that only its owner may enter (0700, with the folders above it that are missing).
 * One that is there already is tightened when it holds nothing but state files of ours; anything
 * else is left as it is, since others may need it.
 *
 * @returns a sentence for a person when others may enter the folder afterwards.
 * @throws Failure `config-invalid` when it cannot be made.
 */
export function privateFolder(folder: string): string | undefined {
  try {
    makePrivateFolder(folder);
  } catch (error) {
    throw new Failure(
      'config-invalid',
      `${folder} cannot be used as a folder: ${whyNoFolder(error)}.`,
      {
        cause: error,
      },
    );
  }
  const { mode } = statSync(folder);
  if ((mode & OF_OTHERS) === 0) return undefined;
  const foreign = readdirSync(folder).some((it) => !OURS.test(it)) || (mode & STICKY) !== 0;
  if (!foreign && tighten(folder)) return undefined;
  const why = foreign ? 'it is not for state files alone' : 'it is not this user’s to tighten';
  return `Others of this machine may enter ${folder}, and ${why}; the state files in it are readable by their owner only. Run chmod 700 on it, or give another folder.`;
}

/** As `privateFolder`, of the folder a file is to lie in. */
export const privateFolderOf = (file: string): string | undefined => privateFolder(dirname(file));

/** @returns whether other users have no rights afterwards. A file that is not there is fine. */
function tighten(path: string): boolean {
  try {
    const { mode } = statSync(path);
    if ((mode & OF_OTHERS) !== 0) chmodSync(path, mode & PRIVATE_FOLDER);
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}
