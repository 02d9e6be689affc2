import { readFileSync } from 'node:fs';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { z } from 'zod';

const Row = z.object({
  id: z.string(),
  revision: z.coerce.number().int(),
  state: z.string(),
});
/** A row of a consumer's table; what else it has does not matter. */
export type Row = z.infer<typeof Row>;

/**
 * The rows of a consumer's table, from a JSON array or one object a line, as `sqlite3 -json` or
 * `psql` write them. An empty file is an empty table.
 * @throws Failure `input-not-found`, `input-unreadable`.
 */
export function readTable(path: string): Row[] {
  const text = textOf(path).trim();
  if (text === '') return [];
  try {
    const rows: unknown = text.startsWith('[')
      ? JSON.parse(text)
      : text.split('\n').map((it) => JSON.parse(it) as unknown);
    return z.array(Row).parse(rows);
  } catch (error) {
    throw new Failure(
      'input-unreadable',
      `${path} is no table of findings (${messageOf(error)}). Write a JSON array, or one object a line, each with id, revision and state.`,
    );
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Failure(
      'input-not-found',
      `The table ${path} cannot be read (${messageOf(error)}). Name the file with the rows of your table.`,
    );
  }
}
