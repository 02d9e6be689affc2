import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { takenAtOf } from './backup-name';
import { readSidecar, sidecarOf } from './sidecar';

/** A backup of this program's that was verified, by its name and by what stands beside it. */
export interface KeptBackup {
  readonly path: string;
  readonly takenAt: Date;
}

/**
 * The verified backups of a cluster in a folder, newest first. A file whose facts are missing,
 * cannot be read or speak of another size is none: it is not counted and never removed.
 * @throws the system's error when the folder cannot be read; a folder that does not exist has none.
 */
export async function backupsIn(folder: string, cluster: string): Promise<KeptBackup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found: KeptBackup[] = [];
  for (const name of names) {
    const takenAt = takenAtOf(name, cluster);
    const path = join(folder, name);
    if (takenAt && (await isVerified(path, cluster))) found.push({ path, takenAt });
  }
  return found.sort((one, other) => other.takenAt.getTime() - one.takenAt.getTime());
}

async function isVerified(path: string, cluster: string): Promise<boolean> {
  const facts = await readSidecar(path).catch(() => undefined);
  const size = await stat(path).then(
    (it) => it.size,
    () => undefined,
  );
  return facts !== undefined && facts.cluster === cluster && facts.bytes === size;
}

/**
 * Removes the oldest verified backups of the cluster beyond the `keep` newest. To be called once a
 * newer one was verified: `newest` must be among them, or nothing is removed.
 * @param keep at least 1.
 * @returns the paths removed.
 */
export async function removeOldBackups(
  folder: string,
  cluster: string,
  { keep, newest }: { readonly keep: number; readonly newest: string },
): Promise<string[]> {
  const all = await backupsIn(folder, cluster);
  if (!all.some((it) => it.path === newest)) return [];
  const old = all
    .slice(Math.max(1, keep))
    .map((it) => it.path)
    .filter((path) => path !== newest);
  for (const path of old) {
    await rm(path, { force: true });
    await rm(sidecarOf(path), { force: true });
  }
  return old;
}

/** The ending of a backup that did not hold what was read. */
export const BAD = '.bad';

/**
 * Removes the backups of the cluster that did not hold what was read, but for the newest: where a
 * disk fails, each attempt leaves one.
 * @throws the system's error where the folder cannot be read, or one cannot be removed.
 */
export async function removeOldBad(folder: string, cluster: string): Promise<void> {
  const bad = (await readdir(folder)).flatMap((name) => {
    const takenAt = name.endsWith(BAD) ? takenAtOf(name.slice(0, -BAD.length), cluster) : undefined;
    return takenAt ? [{ path: join(folder, name), takenAt }] : [];
  });
  bad.sort((one, other) => other.takenAt.getTime() - one.takenAt.getTime());
  for (const { path } of bad.slice(1)) await rm(path, { force: true });
}
