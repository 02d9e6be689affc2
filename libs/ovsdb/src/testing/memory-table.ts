import {
  type Atom,
  type BaseType,
  type ColumnSchema,
  defaultOf,
  encode,
  type TableSchema,
  type Value,
} from '@ovn-steward/ovsdb';
import { countOf, elementsOf, OperationError } from './memory-values';

export interface MemoryRow {
  readonly uuid: string;
  readonly table: MemoryTable;
  readonly slots: Value[];
  /** The JSON of each slot, made when it is asked for and forgotten when the slot changes. */
  readonly json: unknown[];
  /** Under which keys of the table's indexes it was committed. */
  readonly keys: (string | undefined)[];
  version: number;
}

/** One column through which rows of a table may refer to others. */
export interface Link {
  readonly from: MemoryTable;
  readonly position: number;
  readonly part: 'key' | 'value';
  readonly to: MemoryTable;
  readonly strong: boolean;
}

interface Index {
  readonly columns: readonly string[];
  readonly positions: readonly number[];
  readonly rows: Map<string, MemoryRow>;
}

/** Positions of the two columns that no schema names. */
export const UUID_COLUMN = -1;
const VERSION_COLUMN = -2;

const pseudo = (name: string): ColumnSchema => ({
  name,
  ephemeral: false,
  mutable: false,
  kind: 'atom',
  key: { type: 'uuid' },
  min: 1,
  max: 1,
});
const UUID_SCHEMA = pseudo('_uuid');
const VERSION_SCHEMA = pseudo('_version');

const order = (one: Atom, other: Atom): number => Number(one > other) - Number(one < other);

/** As the server writes it: in order. */
function encodeSorted(column: ColumnSchema, value: Value): unknown {
  if (value instanceof Set && value.size > 1)
    return encode(column, new Set([...(value as ReadonlySet<Atom>)].sort(order)));
  if (value instanceof Map && value.size > 1)
    return encode(
      column,
      new Map([...(value as ReadonlyMap<Atom, Atom>)].sort(([a], [b]) => order(a, b))),
    );
  return encode(column, value);
}

const versionText = (version: number): string =>
  `00000000-0000-4000-8000-${version.toString(16).padStart(12, '0')}`;

/** The rows of one table, who refers to them, and its unique indexes. */
export class MemoryTable {
  readonly rows = new Map<string, MemoryRow>();
  readonly columns: readonly ColumnSchema[];
  readonly defaults: readonly Value[];
  readonly indexes: readonly Index[];
  /** By position: through which the rows of this table refer to others. */
  readonly links: Link[][] = [];
  /**
   * Who refers to a row of this table, by its uuid, and how often; also to rows that are not there.
   */
  readonly referrers = new Map<string, Map<Link, Map<MemoryRow, number>>>();
  readonly #positions: ReadonlyMap<string, number>;

  constructor(
    readonly schema: TableSchema,
    readonly isRoot: boolean,
  ) {
    this.columns = [...schema.columns.values()];
    this.defaults = this.columns.map(defaultOf);
    this.#positions = new Map([
      ...this.columns.map((column, position) => [column.name, position] as const),
      ['_uuid', UUID_COLUMN],
      ['_version', VERSION_COLUMN],
    ]);
    this.indexes = schema.indexes.map((columns) => ({
      columns,
      positions: columns.map((column) => this.position(column)),
      rows: new Map(),
    }));
  }

  get name(): string {
    return this.schema.name;
  }

  /** Once all tables are there. */
  connect(tables: ReadonlyMap<string, MemoryTable>): void {
    for (const [position, column] of this.columns.entries()) {
      const link = (base: BaseType | undefined, part: Link['part']): Link[] => {
        const to = base?.refTable === undefined ? undefined : tables.get(base.refTable);
        return to === undefined
          ? []
          : [{ from: this, position, part, to, strong: base?.refType !== 'weak' }];
      };
      this.links.push([...link(column.key, 'key'), ...link(column.value, 'value')]);
    }
  }

  position(column: string, error = 'unknown column'): number {
    const position = this.#positions.get(column);
    if (position === undefined)
      throw new OperationError(error, `No column ${column} in table ${this.name}.`);
    return position;
  }

  column(position: number): ColumnSchema {
    return this.columns[position] ?? (position === UUID_COLUMN ? UUID_SCHEMA : VERSION_SCHEMA);
  }

  slot(row: MemoryRow, position: number): Value {
    return position >= 0
      ? row.slots[position]
      : position === UUID_COLUMN
        ? row.uuid
        : versionText(row.version);
  }

  json(row: MemoryRow, position: number): unknown {
    if (position < 0) return ['uuid', this.slot(row, position)];
    return (row.json[position] ??= encodeSorted(this.column(position), row.slots[position]));
  }

  /**
   * How many strong references other rows have to it. A row's reference to itself does not count.
   */
  strongReferences(uuid: string): number {
    let count = 0;
    for (const [link, rows] of this.referrers.get(uuid) ?? []) {
      if (link.strong)
        for (const [row, times] of rows)
          if (row.uuid !== uuid || row.table !== this) count += times;
    }
    return count;
  }

  /** @returns the key of a row in an index, by what it holds now. */
  key(index: Index, row: MemoryRow): string {
    return keyOf(index.positions.map((position) => row.slots[position]));
  }
}

const canonical = (value: Value): unknown => {
  if (value instanceof Map)
    return [...(value as ReadonlyMap<Atom, Atom>)]
      .map(([key, held]) => [String(key), String(held)])
      .sort();
  if (value instanceof Set) return Array.from(value as ReadonlySet<Atom>, String).sort();
  return value === undefined ? [] : String(value as Atom);
};

export const keyOf = (values: readonly Value[]): string =>
  values.length === 1 && typeof values[0] === 'string'
    ? values[0]
    : JSON.stringify(values.map(canonical));

/** What a value of a column refers to through a link, one for each occurrence. */
export function targetsOf(link: Link, value: Value): Iterable<string> {
  if (countOf(value) === 0) return [];
  if (link.part === 'value') return (value as ReadonlyMap<Atom, Atom>).values() as Iterable<string>;
  return elementsOf(value) as Iterable<string>;
}
