import { type DatabaseSchema, type Json, operation } from '@ovn-steward/ovsdb';
import { canonicalJson } from '@ovn-steward/shared/canonical-json';
import type { StoredRow, Undo } from '@ovn-steward/contracts/actions/undo';
import { selectRows, type RowJson } from '@ovn-steward/systems/northbound/select-rows';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { referencesOf, uuidsInJson } from '@ovn-steward/systems/northbound/references';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import {
  contentOf,
  guardedColumns,
  storedColumns,
} from '@ovn-steward/systems/northbound/stored-columns';
import { storedRowTitle } from './restore-links';

export type StoredRows = Undo & { readonly of: 'rows' };

/**
 * The first table or column the record needs and the schema lacks: the server was changed to
 * another version.
 */
export function notInSchema(
  schema: DatabaseSchema,
  { rows, links }: StoredRows,
): string | undefined {
  const needed = [
    ...rows.flatMap(({ table, columns }) =>
      Object.keys(columns).map((column) => ({ table, column })),
    ),
    ...links,
  ];
  const lacking = needed.find(
    ({ table, column }) => schema.tables.get(table)?.columns.has(column) !== true,
  );
  if (lacking) return `column ${lacking.column} of ${lacking.table}`;
  const gone = rows.find(({ table }) => !schema.tables.has(table));
  return gone && `table ${gone.table}`;
}

/**
 * `same` when all rows are there and say what they said, but for what northd writes and what the
 * database forgets; a reason when only some are, or others; undefined when none is.
 */
export async function thereAlready(
  northbound: Northbound,
  schema: DatabaseSchema,
  rows: readonly StoredRow[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = await selectRows(
    northbound,
    rows.map(({ table, uuid }) =>
      operation.select(
        table,
        operation.byUuid(uuid),
        storedColumns(schema.tables.get(table)!).map((it) => it.name),
      ),
    ),
    signal,
  );
  const present = rows.filter((_, nth) => found[nth]?.length !== 0);
  if (present.length === 0) return undefined;
  const absent = rows.find((it) => !present.includes(it));
  if (absent)
    return `${storedRowTitle(present[0]!)} is there again, but ${storedRowTitle(absent)} is not`;
  const other = rows.find((it, nth) => !isSameRow(schema, it, found[nth]![0]!));
  return other
    ? `${storedRowTitle(other)} is there again with its uuid, but says something else`
    : 'same';
}

function isSameRow(schema: DatabaseSchema, { table, columns }: StoredRow, now: RowJson): boolean {
  const compared = guardedColumns(schema.tables.get(table)!, now).filter(
    ({ key }) => key.refType !== 'weak',
  );
  return (
    canonicalJson(contentOf(columns as RowJson, compared)) ===
    canonicalJson(contentOf(now, compared))
  );
}

/**
 * Deleted rows that the rows referred to: a strong reference cannot be written, the database drops
 * a weak one at once (RFC 7047 section 3.2).
 */
export async function lostReferences(
  northbound: Northbound,
  schema: DatabaseSchema,
  rows: readonly StoredRow[],
  signal: AbortSignal,
): Promise<{ readonly missing: string } | { readonly losses: readonly string[] }> {
  const back = new Set(rows.map((it) => rowKey(it.table, it.uuid)));
  const wanted = rows.flatMap((row) =>
    referencesOf(schema, row.table).flatMap(({ column, to, strength }) =>
      uuidsInJson(row.columns[column] as Json | undefined)
        .filter((it) => !back.has(rowKey(to, it)))
        .map((uuid) => ({ row, column, to, strength, uuid })),
    ),
  );
  const found = await selectRows(
    northbound,
    wanted.map(({ to, uuid }) => operation.select(to, operation.byUuid(uuid), ['_uuid'])),
    signal,
  );
  const gone = wanted.filter((_, nth) => found[nth]?.length === 0);
  const strong = gone.find((it) => it.strength === 'strong');
  if (strong) return { missing: `${strong.to} ${strong.uuid} (${strong.column})` };
  return {
    losses: gone.map(
      ({ row, column, to, uuid }) =>
        `${to} ${uuid}, to which ${storedRowTitle(row)} referred (${column}), is gone`,
    ),
  };
}
