import { open, readFile, rename, rm } from 'node:fs/promises';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { PRIVATE_FILE } from '@ovn-steward/shared/private-files';
import { z } from 'zod';
import { indentedJson } from '@ovn-steward/shared/indented-json';

/** What is known of a backup that was verified; kept beside it, under its name and `.json`. */
export const BackupFacts = z.object({
  version: z.literal(1),
  cluster: z.string(),
  /** Which database: `cid:<raft cluster id>` or `nb:<_uuid of the NB_Global row>`. */
  identity: z.string(),
  schema: z.object({ name: z.string(), version: z.string() }),
  /** By table. */
  rows: z.record(z.string(), z.number().int().nonnegative()),
  bytes: z.number().int().positive(),
  /** Of the file, hex. */
  sha256: z.string(),
  /** RFC 3339, UTC; by the clock of the process that took it. */
  takenAt: z.string(),
});
export type BackupFacts = z.infer<typeof BackupFacts>;

export const sidecarOf = (path: string): string => `${path}.json`;

/** Written whole or not at all. @throws the system's error. */
export async function writeSidecar(path: string, facts: BackupFacts): Promise<void> {
  const part = `${sidecarOf(path)}.part`;
  try {
    const file = await open(part, 'w', PRIVATE_FILE);
    try {
      await file.writeFile(indentedJson(facts));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, sidecarOf(path));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/**
 * What stands beside a backup; undefined when nothing does.
 * @throws Failure `backup-invalid` when it is not what this program writes, or cannot be read.
 */
export async function readSidecar(path: string): Promise<BackupFacts | undefined> {
  const beside = sidecarOf(path);
  let text: string;
  try {
    text = await readFile(beside, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Failure(
      'backup-invalid',
      `${beside}, which says what the backup holds, cannot be read (${messageOf(error)}). Fix that, or give a copy of the backup without it.`,
      { cause: error },
    );
  }
  const read = BackupFacts.safeParse(jsonOf(text));
  if (!read.success)
    throw new Failure(
      'backup-invalid',
      `${beside} is not what this program writes beside a backup. Give a copy of the backup without it to do without.`,
    );
  return read.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
