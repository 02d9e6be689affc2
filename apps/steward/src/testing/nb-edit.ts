import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * A row as a test edits it: sets and optionals are arrays, maps are objects, references are uuids;
 * columns at their default may be missing.
 */
export type PlainRow = Record<string, unknown>;

type Wire = Record<string, Record<string, PlainRow>>;
interface Column {
  type:
    | string
    | { key: string | { type: string }; value?: unknown; min?: number; max?: number | 'unlimited' };
}
export interface Schema {
  version: string;
  tables: Record<string, { columns: Record<string, Column> }>;
}

const atomType = (type: Column['type']): string =>
  typeof type === 'string' ? type : typeof type.key === 'string' ? type.key : type.key.type;
const shapeOf = ({ type }: Column): 'atom' | 'set' | 'map' =>
  typeof type === 'string'
    ? 'atom'
    : type.value !== undefined
      ? 'map'
      : (type.min ?? 1) === 1 && (type.max ?? 1) === 1
        ? 'atom'
        : 'set';

const plainAtom = (value: unknown): unknown =>
  Array.isArray(value) && value[0] === 'uuid' ? value[1] : value;

function plain(column: Column, value: unknown): unknown {
  const tagged =
    Array.isArray(value) && (value[0] === 'set' || value[0] === 'map')
      ? (value[1] as unknown[])
      : undefined;
  if (shapeOf(column) === 'map') return Object.fromEntries((tagged ?? []) as [string, string][]);
  if (shapeOf(column) === 'set') return (tagged ?? [value]).map(plainAtom);
  return plainAtom(value);
}

function wire(column: Column, value: unknown): unknown {
  const atom = (it: unknown): unknown => (atomType(column.type) === 'uuid' ? ['uuid', it] : it);
  if (shapeOf(column) === 'map') return ['map', Object.entries(value as object)];
  if (shapeOf(column) === 'set') return ['set', (value as unknown[]).map(atom)];
  return atom(value);
}

/** A Northbound database in the hands of a test. */
export interface NbEdit {
  readonly schema: Schema;
  readonly rows: (table: string) => readonly (PlainRow & { _uuid: string })[];
  /**
   * The row of that name (`logical_port` for a BFD, match for a policy). Throws when there is none,
   * so that no scenario tests nothing.
   */
  readonly row: (table: string, name: string) => PlainRow & { _uuid: string };
  /** Adds a row, and puts it into a column of its holder. Returns its uuid. */
  readonly insert: (
    table: string,
    row: PlainRow,
    holder?: { readonly row: PlainRow; readonly column: string },
  ) => string;
  /** Removes the row and every reference to it. */
  readonly drop: (row: { readonly _uuid: string }) => void;
  readonly toText: () => string;
}

/** The records of a backup: its schema and one transaction. */
function recordsOf(path: string): [Schema, Wire] {
  const [schema, rows] = readFileSync(path, 'utf8')
    .split(/^OVSDB JSON \d+ [0-9a-f]{40}\n/m)
    .slice(1);
  return [JSON.parse(schema!) as Schema, JSON.parse(rows!) as Wire];
}

export function nbEdit(path: string): NbEdit {
  const [schema, wired] = recordsOf(path);
  const tables = new Map<string, Map<string, PlainRow & { _uuid: string }>>();
  const tableOf = (name: string): Map<string, PlainRow & { _uuid: string }> => {
    let table = tables.get(name);
    if (!table) tables.set(name, (table = new Map()));
    return table;
  };
  for (const [table, rows] of Object.entries(wired)) {
    if (table.startsWith('_')) continue;
    for (const [uuid, row] of Object.entries(rows)) {
      const columns = schema.tables[table]!.columns;
      tableOf(table).set(uuid, {
        ...Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, plain(columns[name]!, value)]),
        ),
        _uuid: uuid,
      });
    }
  }
  const rows = (table: string) => [...tableOf(table).values()];
  return {
    schema,
    rows,
    row(table, name) {
      const found = rows(table).find((it) =>
        [it['name'], it['logical_port'], it['match'], it._uuid].includes(name),
      );
      if (!found) throw new Error(`no ${table} ${name} in ${path}`);
      return found;
    },
    insert(table, row, holder) {
      const uuid = randomUUID();
      tableOf(table).set(uuid, { ...row, _uuid: uuid });
      if (holder)
        holder.row[holder.column] = [
          ...((holder.row[holder.column] as string[] | undefined) ?? []),
          uuid,
        ];
      return uuid;
    },
    drop({ _uuid }) {
      for (const table of tables.values()) {
        table.delete(_uuid);
        for (const row of table.values())
          for (const [column, value] of Object.entries(row))
            if (Array.isArray(value)) row[column] = value.filter((it) => it !== _uuid);
      }
    },
    toText() {
      const transaction: Record<string, unknown> = { _date: wired['_date'], _comment: 'edited' };
      for (const [name, table] of tables) {
        const columns = schema.tables[name]?.columns;
        if (!columns) continue;
        transaction[name] = Object.fromEntries(
          [...table].map(([uuid, row]) => [
            uuid,
            Object.fromEntries(
              Object.entries(row)
                .filter(([it]) => it in columns)
                .map(([it, value]) => [it, wire(columns[it]!, value)]),
            ),
          ]),
        );
      }
      return [schema, transaction]
        .map((record) => {
          const text = `${JSON.stringify(record)}\n`;
          return `OVSDB JSON ${Buffer.byteLength(text)} ${createHash('sha1').update(text).digest('hex')}\n${text}`;
        })
        .join('');
    },
  };
}
