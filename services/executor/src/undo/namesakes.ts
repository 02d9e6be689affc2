import {
  type Condition,
  defaultOf,
  encode,
  type DatabaseSchema,
  type Json,
  operation,
  type Operation,
  type TableSchema,
} from '@ovn-steward/ovsdb';
import type { StoredLink, StoredRow } from '@ovn-steward/contracts/actions/undo';
import { selectRows } from '@ovn-steward/systems/northbound/select-rows';
import { contentColumns } from '@ovn-steward/systems/northbound/content-columns';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { uuidOf } from '@ovn-steward/systems/northbound/stored-columns';

function conditions(
  { columns: schema }: TableSchema,
  row: StoredRow,
  columns: readonly string[],
): readonly Condition[] {
  return columns.flatMap((name): Condition[] => {
    const column = schema.get(name);
    return column
      ? [[name, '==', (row.columns[name] ?? encode(column, defaultOf(column))) as Json]]
      : [];
  });
}

interface Search {
  readonly table: string;
  readonly where: readonly Condition[];
  /** Where only one held by the same row counts. */
  readonly within: StoredLink | undefined;
}

function searchesFor(
  schema: DatabaseSchema,
  row: StoredRow,
  links: readonly StoredLink[],
): readonly Search[] {
  const table = schema.tables.get(row.table)!;
  const indexed = table.indexes.map((columns) => ({
    table: row.table,
    where: conditions(table, row, columns),
    within: undefined,
  }));
  if (indexed.length > 0) return indexed;
  const holder = links.find(
    (it) => it.strength === 'strong' && it.to.table === row.table && it.to.uuid === row.uuid,
  );
  // What comes back within a row that comes back itself has no sisters that are there now.
  if (!holder && !table.isRoot) return [];
  const where = conditions(table, row, contentColumns(row.table, row.columns['type']));
  return where.length > 0 ? [{ table: row.table, where, within: holder }] : [];
}

/**
 * Whether something took the place of a row: by a name that must be unique, or by saying the same
 * to OVN. Guards hold it so until the write.
 */
export async function findNamesakes(
  northbound: Northbound,
  schema: DatabaseSchema,
  rows: readonly StoredRow[],
  links: readonly StoredLink[],
  signal: AbortSignal,
): Promise<{ readonly taken: string } | { readonly guards: readonly Operation[] }> {
  const searches = rows.flatMap((it) => searchesFor(schema, it, links));
  const found = await selectRows(
    northbound,
    searches.map(({ table, where }) => operation.select(table, where, ['_uuid'])),
    signal,
  );
  const guards: Operation[] = [];
  for (const [nth, { table, where, within }] of searches.entries()) {
    const uuids = (found[nth] ?? []).map(uuidOf);
    const namesake =
      within === undefined ? uuids[0] : await firstHeld(northbound, within, uuids, signal);
    if (namesake !== undefined)
      return {
        taken: `${table} ${namesake}${within === undefined ? '' : ` in ${within.table} ${within.name || within.uuid}`} has taken its place: ${saying(where)}`,
      };
    guards.push(
      operation.wait(
        table,
        where,
        ['_uuid'],
        uuids.map((it) => ({ _uuid: operation.uuid(it) })),
      ),
    );
    if (within !== undefined)
      guards.push(
        ...uuids.map((it) => operation.wait(within.table, holding(within, it), ['_uuid'], [])),
      );
  }
  return { guards };
}

/** The rows that hold this one as the link's row does, which is that row or none. */
const holding = (within: StoredLink, uuid: string): readonly Condition[] => [
  ...operation.byUuid(within.uuid),
  [within.column, 'includes', operation.uuid(uuid)],
];

async function firstHeld(
  northbound: Northbound,
  within: StoredLink,
  uuids: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const held = await selectRows(
    northbound,
    uuids.map((it) => operation.select(within.table, holding(within, it), ['_uuid'])),
    signal,
  );
  return uuids.find((_, nth) => held[nth]!.length > 0);
}

const saying = (where: readonly Condition[]): string =>
  where.map(([column, , value]) => `${column} ${JSON.stringify(value)}`).join(', ');
