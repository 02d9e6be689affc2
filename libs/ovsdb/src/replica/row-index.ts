import type { RowLayout, Row, Slot } from '../schema/row';
import { ABSENT } from '../schema/row';
import type { Atom, Value } from '../schema/value';

type Key = Value | string;

function canonical(value: Slot): string {
  if (value === undefined || value === ABSENT) return 'null';
  if (value instanceof Set) return `{${Array.from(value, canonical).sort().join()}}`;
  if (value instanceof Map)
    return `{${Array.from(
      value as ReadonlyMap<Atom, Atom>,
      ([key, held]) => `${canonical(key)}:${canonical(held)}`,
    )
      .sort()
      .join()}}`;
  return typeof value === 'string' ? JSON.stringify(value) : String(value as Atom);
}

/** One column of one atom, by far the most common index, is its own key. */
const keyOf = (values: readonly Slot[]): Key => {
  const [only] = values;
  return values.length === 1 && typeof only !== 'object' && only !== ABSENT
    ? only
    : values.map(canonical).join();
};

/**
 * Rows by the values of some columns. Not unique: within one update two rows may briefly hold the
 * same values, and an index that the user requests need not be unique at all.
 */
export class RowIndex {
  private readonly rows = new Map<Key, Row | Set<Row>>();
  private readonly positions: readonly number[];

  constructor(
    readonly columns: readonly string[],
    layout: RowLayout,
  ) {
    this.positions = columns.map((column) => layout.position.get(column) ?? -1);
  }

  covers(position: number): boolean {
    return this.positions.includes(position);
  }

  add(row: Row): void {
    const key = this.keyOfRow(row);
    const held = this.rows.get(key);
    if (held === undefined) this.rows.set(key, row);
    else if (held instanceof Set) held.add(row);
    else this.rows.set(key, new Set([held, row]));
  }

  /** To be called before the row changes: the row is found by the values it was added with. */
  remove(row: Row): void {
    const key = this.keyOfRow(row);
    const held = this.rows.get(key);
    if (held === row) this.rows.delete(key);
    else if (held instanceof Set && held.delete(row) && held.size === 0) this.rows.delete(key);
  }

  find(values: readonly Value[]): Row[] {
    const held = this.rows.get(keyOf(values));
    if (held === undefined) return [];
    return held instanceof Set ? [...held] : [held];
  }

  private keyOfRow(row: Row): Key {
    return keyOf(this.positions.map((position) => row.slots[position]));
  }
}
