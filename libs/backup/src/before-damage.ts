import { MEMBER_COLUMNS } from '@ovn-steward/judgement/engine/lost-members';
import {
  type ColumnSchema,
  decode,
  defaultOf,
  encode,
  Replica,
  type Row,
  type TableSchema,
  type Value,
} from '@ovn-steward/ovsdb';
import type { FormerContent } from '@ovn-steward/contracts/findings/finding';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';

/** Rows with their columns, by `rowKey`; rows of one table are together. */
type Content = Map<
  string,
  { readonly table: string; readonly uuid: string; columns: Map<string, Value> }
>;

/**
 * The living database as it was before the damage: deleted rows are back, with the references to
 * them from rows that held or listed them, an ACL is in its former tier, and rows that stand have
 * the members again that they lost. All other content stays as it is. Tables and columns that the
 * living schema lacks, and references to rows that are not restored, are left out. Pure.
 *
 * @throws OvsdbError `value-invalid` when a column holds what its type does not allow: then the
 * findings were not written by this program.
 */
export function beforeDamage(live: Replica, was: readonly FormerContent[]): Replica {
  const content: Content = new Map();
  for (const table of live.schema.tables.keys())
    for (const row of live.rows(table))
      content.set(rowKey(table, row.uuid), { table, uuid: row.uuid, columns: columnsOf(row) });
  const gone = was.filter((it) => it.gone && !content.has(rowKey(it.table, it.uid)));
  for (const it of gone) insert(content, live, it);
  for (const it of gone) refer(content, live, it);
  for (const it of was) if (!it.gone) complete(content, live, it);
  const replica = new Replica(live.schema);
  replica.replaceAll(jsonOf(content, live));
  return replica;
}

const columnsOf = (row: Row): Map<string, Value> =>
  new Map([...row.columns()].map(([{ name }, value]) => [name, value]));

function insert(content: Content, { schema }: Replica, { table, uid, row }: FormerContent): void {
  const columns = schema.tables.get(table)?.columns;
  if (!columns) return;
  content.set(rowKey(table, uid), {
    table,
    uuid: uid,
    columns: new Map(
      [...columns.values()].map((column) => [
        column.name,
        Object.hasOwn(row, column.name)
          ? decode(column, jsonOfPlain(column, row[column.name]))
          : defaultOf(column),
      ]),
    ),
  });
}

/** Puts the row back where it was held, listed and referred to. */
function refer(content: Content, live: Replica, { uid, row, referrers }: FormerContent): void {
  const parents = (row['_parents'] ?? []) as readonly {
    kind: string;
    uid: string;
    column: string;
  }[];
  const groups = (row['_port_groups'] ?? []) as readonly string[];
  for (const [table, uuid, name] of [
    ...parents.map((it) => [it.kind, it.uid, it.column] as const),
    ...groups.map((it) => ['Port_Group', it, 'ports'] as const),
    ...referrers.map((it) => [it.table, it.uid, it.column] as const),
  ]) {
    const held = content.get(rowKey(table, uuid));
    const column = live.schema.tables.get(table)?.columns.get(name);
    if (!held || !column || column.kind === 'map') continue;
    const value = held.columns.get(name);
    held.columns.set(
      name,
      column.kind === 'set' ? new Set([...(value instanceof Set ? value : []), uid]) : uid,
    );
  }
}

/**
 * Puts an ACL into its former tier; gives a set its addresses, a balancer its VIPs, and groups a
 * port that they listed.
 */
function complete(content: Content, live: Replica, was: FormerContent): void {
  const { table, uid, row } = was;
  if (table === 'Logical_Switch_Port') {
    const groups = row['_port_groups'] ?? [];
    return refer(content, live, { ...was, row: { _port_groups: groups }, referrers: [] });
  }
  putIntoTier(content, was);
  const name = MEMBER_COLUMNS[table];
  const held = content.get(rowKey(table, uid));
  const column = name === undefined ? undefined : live.schema.tables.get(table)?.columns.get(name);
  if (name === undefined || !held || !column || !Object.hasOwn(row, name)) return;
  const before = decode(column, jsonOfPlain(column, row[name]));
  const now = held.columns.get(name);
  if (before instanceof Map && now instanceof Map)
    held.columns.set(name, new Map([...before, ...now]));
  else if (before instanceof Set && now instanceof Set)
    held.columns.set(name, new Set([...now, ...before]));
}

function putIntoTier(content: Content, { table, uid, row }: FormerContent): void {
  const held = content.get(rowKey(table, uid));
  if (table !== 'ACL' || !held?.columns.has('tier')) return;
  held.columns.set('tier', typeof row['tier'] === 'number' ? row['tier'] : 0);
}

/** A value as the collector publishes it, in OVSDB's JSON (RFC 7047 section 5.1). */
function jsonOfPlain({ key, value, kind }: ColumnSchema, plain: unknown): unknown {
  const atom = (type: string, one: unknown): unknown => {
    if (type === 'uuid') return ['uuid', one];
    return type === 'integer' && typeof one === 'string' ? BigInt(one) : one;
  };
  if (value && typeof plain === 'object' && plain !== null)
    return [
      'map',
      Object.entries(plain).map(([name, held]) => [
        atom(key.type, key.type === 'integer' ? Number(name) : name),
        atom(value.type, held),
      ]),
    ];
  if (kind === 'set' && Array.isArray(plain))
    return ['set', plain.map((one) => atom(key.type, one))];
  return atom(key.type, plain);
}

function jsonOf(content: Content, { schema }: Replica): Record<string, unknown> {
  const tables: Record<string, Record<string, unknown>> = Object.fromEntries(
    [...schema.tables.keys()].map((table) => [table, {}]),
  );
  for (const { table, uuid, columns } of content.values())
    tables[table]![uuid] = { initial: jsonOfRow(schema.tables.get(table)!, columns) };
  return tables;
}

const jsonOfRow = (
  table: TableSchema,
  columns: ReadonlyMap<string, Value>,
): Record<string, unknown> =>
  Object.fromEntries(
    [...columns].flatMap(([name, value]) => {
      const column = table.columns.get(name);
      return column ? [[name, encode(column, value)]] : [];
    }),
  );
