import { readFileSync } from 'node:fs';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { whyUnreadable } from '@ovn-steward/shared/file-trouble';
import { z } from 'zod';

const ConsumerRow = z.object({
  id: z.string(),
  // A number, or its digits as text; an absent one is none, and not 0.
  revision: z
    .union([z.number(), z.string().regex(/^\d+$/)])
    .transform(Number)
    .pipe(z.int().nonnegative()),
  state: z.string(),
});
/** A row of a consumer's table; what else it has does not matter. */
export type ConsumerRow = z.infer<typeof ConsumerRow>;

/**
 * The rows of a consumer's table, from a JSON array or one object a line, as `sqlite3 -json` or
 * `psql` write them. An empty file is an empty table.
 * @throws Failure `input-not-found`; `input-unreadable` with the first row that is none.
 */
export function readTable(path: string): ConsumerRow[] {
  const text = textOf(path).trim();
  if (text === '') return [];
  if (!text.startsWith('['))
    return text
      .split('\n')
      .map((line, index) => rowOf(jsonIn(line, path, index + 1), path, index + 1));
  const rows = jsonIn(text, path) as readonly unknown[];
  return rows.map((it, index) => rowOf(it, path, index + 1));
}

function jsonIn(text: string, path: string, row?: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw noTable(path, row, messageOf(error), error);
  }
}

function rowOf(value: unknown, path: string, row: number): ConsumerRow {
  const { data, error } = ConsumerRow.safeParse(value);
  if (data !== undefined) return data;
  const [issue] = error!.issues;
  throw noTable(path, row, [...issue!.path, issue!.message].join(': '), error);
}

const noTable = (path: string, row: number | undefined, why: string, cause: unknown): Failure =>
  new Failure(
    'input-unreadable',
    `${path}${row === undefined ? '' : `, row ${row},`} is no table of findings (${why}). Write a JSON array, or one object a line, each with id, revision and state.`,
    { cause },
  );

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Failure(
      'input-not-found',
      `The table ${path} cannot be read: ${whyUnreadable(error)}. Name the file with the rows of your table.`,
    );
  }
}
