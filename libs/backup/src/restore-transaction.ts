import {
  type Atom,
  type ColumnSchema,
  defaultOf,
  encode,
  equal,
  type Json,
  type JsonRow,
  type Operation,
  operation as op,
  type Row,
  uuidsIn,
  type Value,
} from '@ovn-steward/ovsdb';
import { commonColumns, type Pair } from './difference';
import { isKeptColumn } from './kept-columns';
import type { PlannedRow } from './planned';
import { referenceOf } from './references';
import type { RestorePlan } from './restore-plan';

const json = (column: ColumnSchema, value: Value): Json => encode(column, value) as Json;
const columnsOf = ({ live }: Pair, table: string): ReadonlyMap<string, ColumnSchema> =>
  live.schema.tables.get(table)?.columns ?? new Map<string, ColumnSchema>();

function rowJson(
  columns: ReadonlyMap<string, ColumnSchema>,
  values: Iterable<readonly [string, Value]>,
): JsonRow {
  return Object.fromEntries(
    [...values].flatMap(([name, value]) => {
      const column = columns.get(name);
      return column ? [[name, json(column, value)] as const] : [];
    }),
  );
}

/** The row is still exactly what was seen, in these columns. */
function unchanged(
  columns: ReadonlyMap<string, ColumnSchema>,
  row: Row,
  names: Iterable<string>,
): Operation {
  const known = [...new Set(names)].filter((name) => columns.has(name));
  return op.wait(row.table, op.byUuid(row.uuid), known, [
    rowJson(
      columns,
      known.map((name) => [name, row.get(name)] as const),
    ),
  ]);
}

/** Columns that distinguish a row from another one that took its place. */
const IDENTITY = ['name', 'external_ids'];

/**
 * The plan as one transaction, which the database carries out only if every row that is written or
 * removed is in the written columns as it was seen, every row that gets a reference stands, and no
 * row of the name or content of one that comes back was made meanwhile. What has an index needs no
 * such guard: the server itself refuses two of a kind, and a uuid that is there already.
 */
export function restoreTransaction(plan: RestorePlan, pair: Pair, comment: string): Operation[] {
  const guards: Operation[] = [];
  for (const { table, uuid, columns } of plan.updates) {
    const row = pair.live.get(table, uuid);
    if (row) guards.push(unchanged(columnsOf(pair, table), row, [...IDENTITY, ...columns.keys()]));
  }
  for (const { table, uuid } of plan.removals) {
    const row = pair.live.get(table, uuid);
    const stored = [...columnsOf(pair, table).values()].filter(
      (it) => !it.ephemeral && row && !isKeptColumn(row, it.name, pair.tables),
    );
    if (row)
      guards.push(
        unchanged(
          columnsOf(pair, table),
          row,
          stored.map((it) => it.name),
        ),
      );
  }
  return [
    ...guards,
    ...plan.inserts.flatMap((it) => stillAlone(it, pair)),
    ...requireTargets(plan, pair),
    // Each by itself: what a removed row alone held would go only after the references have been
    // checked.
    ...plan.removals.map(({ table, uuid }) => op.remove(table, op.byUuid(uuid))),
    ...plan.inserts.map((it) => inserted(it, pair)),
    ...plan.updates.map((it) => written(it, pair)),
    op.comment(comment),
  ];
}

/**
 * For tables without an index whose rows no row holds; where one does, the holder's column is
 * guarded as a whole.
 */
function stillAlone({ table, columns: values }: PlannedRow, pair: Pair): Operation[] {
  const schema = pair.live.schema.tables.get(table);
  if (!schema?.isRoot || schema.indexes.length > 0) return [];
  const columns = columnsOf(pair, table);
  const named =
    columns.has('name') && values.get('name') !== '' && values.get('name') !== undefined;
  const by = named
    ? ['name']
    : [...commonColumns(table, pair.backup.schema, pair.live.schema).keys()];
  const where = by.flatMap((name) => {
    const column = columns.get(name);
    return column ? [[name, '==', json(column, values.get(name))] as const] : [];
  });
  const seen = [...pair.live.rows(table)].filter((row) =>
    by.every((name) => equal(row.get(name), values.get(name))),
  );
  return [
    op.wait(
      table,
      where,
      ['_uuid'],
      seen.map((row) => ({ _uuid: op.uuid(row.uuid) })),
    ),
  ];
}

/**
 * The database drops a weak reference to a deleted row in silence (RFC 7047 section 3.2), so each
 * row that gets one must exist.
 */
function requireTargets(plan: RestorePlan, pair: Pair): Operation[] {
  const coming = new Set(plan.inserts.map((it) => `${it.table} ${it.uuid}`));
  const targets = new Map<string, readonly [table: string, uuid: string]>();
  for (const { table, uuid, columns: values } of [...plan.inserts, ...plan.updates]) {
    const now = pair.live.get(table, uuid);
    for (const [name, value] of values) {
      const column = columnsOf(pair, table).get(name);
      const reference = column && referenceOf(column);
      if (reference?.strength !== 'weak') continue;
      const held = new Set(uuidsIn(now?.get(name)));
      for (const to of uuidsIn(value))
        if (!held.has(to) && !coming.has(`${reference.to} ${to}`))
          targets.set(`${reference.to} ${to}`, [reference.to, to]);
    }
  }
  return [...targets.values()].map(([table, uuid]) =>
    op.wait(table, op.byUuid(uuid), ['_uuid'], [{ _uuid: op.uuid(uuid) }]),
  );
}

function inserted({ table, uuid, columns: values }: PlannedRow, pair: Pair): Operation {
  const columns = columnsOf(pair, table);
  const filled = [...values].filter(([name, value]) => {
    const column = columns.get(name);
    return column && !equal(value, defaultOf(column));
  });
  return op.insert(table, rowJson(columns, filled), uuid);
}

/**
 * Sets by what they gain and lose, so that one port more does not send a switch of 65,000 again.
 */
function written({ table, uuid, columns: values }: PlannedRow, pair: Pair): Operation {
  const columns = columnsOf(pair, table);
  const now = pair.live.get(table, uuid);
  const whole = [...values].filter(([name]) => columns.get(name)?.kind !== 'set');
  if (whole.length > 0 || !now) return op.update(table, op.byUuid(uuid), rowJson(columns, values));
  return op.mutate(
    table,
    op.byUuid(uuid),
    [...values].flatMap(([name, value]) => {
      const column = columns.get(name);
      const before = now.get(name) as ReadonlySet<Atom>;
      const after = value as ReadonlySet<Atom>;
      if (!column) return [];
      const gone = [...before].filter((it) => !after.has(it));
      const added = [...after].filter((it) => !before.has(it));
      return [
        ...(gone.length > 0 ? [[name, 'delete', json(column, new Set(gone))] as const] : []),
        ...(added.length > 0 ? [[name, 'insert', json(column, new Set(added))] as const] : []),
      ];
    }),
  );
}
