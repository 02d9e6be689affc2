import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { OvsdbError } from '../wire/errors';
import { stringifyJson } from '../wire/parse-json';
import { Replica } from '../replica/replica';
import { ABSENT, type Row } from '../schema/row';
import { parseSchema, type TableSchema } from '../schema/schema';
import { defaultOf, encode, equal } from '../schema/value';
import { syncDirectoryOf } from './sync-directory';
import { reasonOf } from './system-error';

export interface WriteOptions {
  /** Stored with the rows, as `ovsdb-tool show-log` shows it. */
  readonly comment?: string;
  /** The time the rows are from. */
  readonly date?: Date;
}

/** Text is joined up to this many characters before it becomes bytes. */
const PIECE = 1 << 20;

function rowJson(table: TableSchema, row: Row): string {
  const columns: [string, unknown][] = [];
  for (const {
    column: { name },
    slot,
  } of row.all()) {
    const column = table.columns.get(name);
    if (!column)
      throw new OvsdbError(
        'schema-mismatch',
        `Row ${row.uuid} of ${row.table} has column ${name}, which the schema to write does not have. Write it with the replica's own schema.`,
      );
    if (column.ephemeral) continue;
    if (slot === ABSENT)
      throw new OvsdbError(
        'value-invalid',
        `Column ${name} of row ${row.uuid} of ${row.table} is not known, and the file would say it is empty. Monitor all columns before writing.`,
      );
    if (!equal(slot, defaultOf(column))) columns.push([name, encode(column, slot)]);
  }
  return stringifyJson(Object.fromEntries(columns));
}

/** @throws OvsdbError `value-invalid`: no reader takes a file without a time. */
function timeOf(date: Date): number {
  const time = date.getTime();
  if (!Number.isNaN(time)) return time;
  throw new OvsdbError(
    'value-invalid',
    'The date to write is none (Invalid Date). Give the time that the rows are from, or leave it out.',
  );
}

function byTable(rows: Iterable<Row>): Map<string, Map<string, Row>> {
  const tables = new Map<string, Map<string, Row>>();
  for (const row of rows) {
    const table = tables.get(row.table) ?? new Map<string, Row>();
    if (table.has(row.uuid))
      throw new OvsdbError(
        'value-invalid',
        `Row ${row.uuid} of ${row.table} was given twice. Give each row once.`,
      );
    tables.set(row.table, table.set(row.uuid, row));
  }
  return tables;
}

function* everyRow(replica: Replica): Generator<Row> {
  for (const table of replica.schema.tables.keys()) yield* replica.rows(table);
}

function* transactionText(
  schemaJson: unknown,
  rows: Iterable<Row>,
  { comment, date }: WriteOptions,
): Generator<string> {
  const schema = parseSchema(schemaJson);
  yield `{"_date":${timeOf(date ?? new Date())}`;
  if (comment !== undefined) yield `,"_comment":${JSON.stringify(comment)}`;
  for (const [name, held] of byTable(rows)) {
    const table = schema.tables.get(name);
    if (!table)
      throw new OvsdbError(
        'schema-mismatch',
        `There are rows of table ${name}, which the schema to write does not have. Write them with the replica's own schema.`,
      );
    let separator = `,${JSON.stringify(name)}:{`;
    for (const row of held.values()) {
      yield `${separator}"${row.uuid}":${rowJson(table, row)}`;
      separator = ',';
    }
    yield '}';
  }
  yield '}\n';
}

/** In one go, so that a replica that follows a server is written as it is at one moment. */
function toBytes(texts: Iterable<string>): Buffer[] {
  const pieces: Buffer[] = [];
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    pieces.push(Buffer.from(piece));
    piece = '';
  }
  pieces.push(Buffer.from(piece));
  return pieces;
}

function record(texts: Iterable<string>): Buffer[] {
  const body = toBytes(texts);
  const hash = createHash('sha1');
  for (const piece of body) hash.update(piece);
  const length = body.reduce((sum, piece) => sum + piece.length, 0);
  return [Buffer.from(`OVSDB JSON ${length} ${hash.digest('hex')}\n`), ...body];
}

async function writeSynced(handle: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  try {
    for (const piece of pieces) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes a standalone database file that ovsdb-server starts from: the schema and one transaction
 * of all rows. Readable by every version of OVS, for it uses no differences. A file of that name is
 * replaced, whole or not at all; never give the file of a running server.
 *
 * @param schemaJson the schema as a server or file gave it; `replica.schema.json` where the
 *   replica's own is meant.
 * @throws OvsdbError `schema-invalid`; `schema-mismatch` when the schema lacks a row's table or
 *   column; `value-invalid` when a row has a column whose value is not known or is given twice, and
 *   for a date that is none; `unwritable`; `unflushed` when the file is in place and may not outlast
 *   a power failure.
 */
export async function writeStandaloneFile(
  path: string,
  schemaJson: unknown,
  rows: Replica | Iterable<Row>,
  options: WriteOptions = {},
): Promise<void> {
  const all = rows instanceof Replica ? everyRow(rows) : rows;
  const pieces = [
    ...record([`${stringifyJson(schemaJson)}\n`]),
    ...record(transactionText(schemaJson, all, options)),
  ];
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeSynced(await open(temporary, 'wx', 0o600), pieces);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined); // the first error says why
    throw new OvsdbError(
      'unwritable',
      `${path} could not be written: ${reasonOf(error)}. Check the folder, its permissions and the free space.`,
      { cause: error },
    );
  }
  await syncDirectoryOf(path).catch((error: unknown) => {
    throw new OvsdbError(
      'unflushed',
      `${path} is written and in place, but its folder could not be flushed to disk: ${reasonOf(error)}. A power failure may lose it; check the disk, then write it again.`,
      { cause: error },
    );
  });
}
