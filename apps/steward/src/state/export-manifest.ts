import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Failure, messageOf } from '@ovn-steward/shared/errors';

/** Describes an export; written last, so that a folder without it is no export. */
export const MANIFEST = 'export.json';

/** The format of the folder; a later one is refused. */
export const EXPORT_FORMAT = 1;

const ExportedFile = z.object({
  name: z.string().regex(/^[\w.-]+\.db$/),
  bytes: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** By part; `file` where the file has one. */
  formats: z.record(z.string(), z.number().int()),
});

const Manifest = z.object({
  format: z.number().int().min(1),
  /** Of the program that wrote it. */
  version: z.string(),
  cluster: z.string().min(1),
  takenAt: z.string(),
  files: z.array(ExportedFile).min(1),
});
export type Manifest = z.infer<typeof Manifest>;

/**
 * What an export holds, by its own words.
 * @throws Failure `input-not-found` where the folder is no export, `input-unreadable` where it is
 *   damaged or of a later version.
 */
export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Failure(
      'input-not-found',
      `${path} cannot be read (${messageOf(error)}): name a folder that steward export wrote to its end.`,
      { cause: error },
    );
  }
  try {
    const json = JSON.parse(text) as { readonly format?: unknown };
    if (typeof json.format === 'number' && json.format > EXPORT_FORMAT)
      throw new Failure(
        'input-unreadable',
        `${folder} was exported by a later version (format ${json.format}, this one knows ${EXPORT_FORMAT}): import it with that version.`,
      );
    return Manifest.parse(json);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'input-unreadable',
      `${path} is not as steward export writes it: export the state again.`,
      { cause: error },
    );
  }
}
