import type { ColumnSchema, TableSchema } from './schema';
import { defaultOf, type Value } from './value';

/** Stands where no value was ever received: not the default, not empty, but unknown. */
export const ABSENT = Symbol('absent');

export type Slot = Value | typeof ABSENT;

/**
 * Where each column of a table's rows is kept. One per table, shared by its rows, so that a row is
 * one short array.
 */
export interface RowLayout {
  readonly table: TableSchema;
  readonly columns: readonly ColumnSchema[];
  readonly position: ReadonlyMap<string, number>;
  /**
   * What a row inserted without a column holds: its default, or {@link ABSENT} for a column the
   * sender does not send.
   */
  readonly blank: readonly Slot[];
}

/**
 * @param sent the columns the sender sends; a column it leaves out of an inserted row then has its
 *   default.
 */
export function rowLayoutOf(
  table: TableSchema,
  sent: (column: ColumnSchema) => boolean,
): RowLayout {
  const columns = [...table.columns.values()];
  return {
    table,
    columns,
    position: new Map(columns.map((column, position) => [column.name, position])),
    blank: columns.map((column) => (sent(column) ? defaultOf(column) : ABSENT)),
  };
}

/**
 * A row of a replica. It is live: the replica changes it in place, also inside a large set, so copy
 * what must outlast the next update.
 */
export class Row {
  /** @internal Written by the replica alone. */
  constructor(
    private readonly layout: RowLayout,
    readonly uuid: string,
    readonly slots: Slot[],
  ) {}

  get table(): string {
    return this.layout.table.name;
  }

  /** True when the column's value is known: the schema has the column and the sender sends it. */
  has(column: string): boolean {
    const position = this.layout.position.get(column);
    return position !== undefined && this.slots[position] !== ABSENT;
  }

  /**
   * The column's value. `undefined` is an empty optional or an unknown value: {@link has}
   * distinguishes them.
   */
  get(column: string): Value {
    const position = this.layout.position.get(column);
    const slot = position === undefined ? undefined : this.slots[position];
    return slot === ABSENT ? undefined : slot;
  }

  /** The known columns and their values, in the schema's order. */
  *columns(): Generator<[ColumnSchema, Value]> {
    const { columns } = this.layout;
    for (let position = 0; position < columns.length; position++) {
      const slot = this.slots[position];
      if (slot !== ABSENT) yield [columns[position]!, slot];
    }
  }

  /** @internal Every column of the schema, also those whose value is not known. */
  *all(): Generator<{ column: ColumnSchema; slot: Slot }> {
    for (const [position, column] of this.layout.columns.entries())
      yield { column, slot: this.slots[position] };
  }
}
