import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '@ovn-steward/shared/errors';
import { z } from 'zod';
import { fileFailure } from './entries';

/**
 * Beside a dump: which kinds it holds completely. A dump alone does not distinguish "none there"
 * from "not requested". docs/recordings.md describes it.
 */
export const Listed = z.object({
  /** False: the recording could not be finished, and no kind is known to be complete. */
  complete: z.boolean(),
  /** RFC 3339: everything was read at this time or later. */
  asOf: z.iso.datetime({ offset: true }).optional(),
  kinds: z.array(
    z.object({
      apiVersion: z.string().min(1),
      kind: z.string().min(1),
      count: z.number().int().nonnegative(),
      resourceVersion: z.string().optional(),
    }),
  ),
  /** Kinds that could not be read completely, and why. */
  unavailable: z
    .array(
      z.object({
        kind: z.string().min(1),
        reason: z.enum(['not-served', 'forbidden', 'unreachable', 'not-listed', 'broken']),
        detail: z.string(),
      }),
    )
    .optional(),
});
export type Listed = z.infer<typeof Listed>;

/**
 * The `listed.json` of a folder; undefined when there is none.
 * @throws Failure `input-unreadable` when it is there but is not what it should be: then nothing it
 *   says can be trusted.
 */
export async function readListed(folder: string): Promise<Listed | undefined> {
  const path = join(folder, 'listed.json');
  if (!existsSync(path)) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Failure(
        'input-unreadable',
        `${path} is not JSON. Record again, or remove it (then nothing counts as complete).`,
      );
    throw fileFailure(path, error);
  }
  const listed = Listed.safeParse(json);
  if (!listed.success)
    throw new Failure(
      'input-unreadable',
      `${path} does not say what was listed: ${z.prettifyError(listed.error)}. See docs/recordings.md for its format.`,
    );
  const named = listed.data.kinds.map((it) => `${it.apiVersion} ${it.kind}`);
  const twice = named.find((it, at) => named.indexOf(it) !== at);
  if (twice !== undefined)
    throw new Failure(
      'input-unreadable',
      `${path} names ${twice} twice, so it is not known which count holds. Record again.`,
    );
  return listed.data;
}
