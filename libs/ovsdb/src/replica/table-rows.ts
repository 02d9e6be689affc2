import { mergeDifference, splitDifference } from '../schema/difference';
import { OvsdbError } from '../wire/errors';
import { ABSENT, type RowLayout, Row, type Slot } from '../schema/row';
import type { ColumnChange, RowChange } from './row-change';
import { RowIndex } from './row-index';
import { type Atom, decode, EMPTY_SET, equal, type Value } from '../schema/value';

/** A received value and the position of its column. */
export type ReceivedCell = readonly [position: number, value: Value];

const UNCHANGED: ReadonlyMap<string, ColumnChange> = new Map();

/** A server sends these to a client that names no columns; they are not columns of the schema. */
const PSEUDO_COLUMNS: ReadonlySet<string> = new Set(['_uuid', '_version']);

type AtomSet = ReadonlySet<Atom>;

const isLargeSet = (value: Slot): value is AtomSet => value instanceof Set;

/** What full values say about a set, in the words of a difference. */
function splitFull(old: AtomSet, value: AtomSet): { added: Atom[]; removed: Atom[] } {
  return {
    added: [...value].filter((element) => !old.has(element)),
    removed: [...old].filter((element) => !value.has(element)),
  };
}

/** The rows of one table and the indexes over them. Every step keeps the indexes true. */
export class TableRows {
  readonly rows = new Map<string, Row>();
  readonly indexes: readonly RowIndex[];

  constructor(
    readonly layout: RowLayout,
    indexed: readonly (readonly string[])[],
  ) {
    this.indexes = indexed.map((columns) => new RowIndex(columns, layout));
  }

  get name(): string {
    return this.layout.table.name;
  }

  /**
   * @throws OvsdbError `schema-mismatch` for a column the schema does not have, `value-invalid` for
   *   a value of another type.
   */
  decodeCells(uuid: string, json: unknown): ReceivedCell[] {
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw new OvsdbError(
        'value-invalid',
        `Row ${uuid} of ${this.name} is not an object. The sender is not an OVSDB server or file.`,
      );
    const cells: ReceivedCell[] = [];
    for (const [name, value] of Object.entries(json)) {
      const position = this.layout.position.get(name);
      const column = position === undefined ? undefined : this.layout.columns[position];
      if (position !== undefined && column) cells.push([position, decode(column, value)]);
      else if (!PSEUDO_COLUMNS.has(name))
        throw new OvsdbError(
          'schema-mismatch',
          `Row ${uuid} of ${this.name} has column ${name}, which the schema does not have. Read the schema again, then the whole content.`,
        );
    }
    return cells;
  }

  /**
   * @throws OvsdbError `out-of-step` for a difference to a set or map whose value was never sent.
   */
  checkKnown(row: Row, cells: readonly ReceivedCell[]): void {
    for (const [position] of cells) {
      const column = this.layout.columns[position];
      if (column && column.max > 1 && row.slots[position] === ABSENT)
        throw new OvsdbError(
          'out-of-step',
          `Column ${column.name} of row ${row.uuid} of ${this.name} changed, but its value was never sent. Read the whole content again.`,
        );
    }
  }

  insert(uuid: string, cells: readonly ReceivedCell[]): RowChange {
    const slots = this.layout.blank.slice();
    for (const [position, value] of cells) slots[position] = value;
    return this.adopt(new Row(this.layout, uuid, slots));
  }

  /** Takes over a row made for an equal table. */
  adopt(row: Row): RowChange {
    this.rows.set(row.uuid, row);
    for (const index of this.indexes) index.add(row);
    return this.change('insert', row, UNCHANGED);
  }

  delete(row: Row): RowChange {
    for (const index of this.indexes) index.remove(row);
    this.rows.delete(row.uuid);
    return this.change('delete', row, UNCHANGED);
  }

  /** @returns undefined when the cells change nothing. */
  modify(
    row: Row,
    cells: readonly ReceivedCell[],
    meaning: 'difference' | 'full',
  ): RowChange | undefined {
    const touched = this.indexes.filter((index) =>
      cells.some(([position]) => index.covers(position)),
    );
    for (const index of touched) index.remove(row);
    const changed = new Map<string, ColumnChange>();
    for (const [position, value] of cells) {
      const change =
        meaning === 'full' ? this.assign(row, position, value) : this.apply(row, position, value);
      if (change) changed.set(this.layout.columns[position]?.name ?? '', change);
    }
    for (const index of touched) index.add(row);
    return changed.size === 0 ? undefined : this.change('modify', row, changed);
  }

  /** The index over exactly these columns, in this order. */
  index(columns: readonly string[]): RowIndex | undefined {
    return this.indexes.find(
      (index) =>
        index.columns.length === columns.length &&
        index.columns.every((column, nth) => column === columns[nth]),
    );
  }

  private assign(row: Row, position: number, value: Value): ColumnChange | undefined {
    const old = row.slots[position];
    if (old !== ABSENT && equal(old, value)) return undefined;
    row.slots[position] = value;
    if (isLargeSet(old) && isLargeSet(value)) return splitFull(old, value);
    return { old: old === ABSENT ? undefined : old, new: value };
  }

  private apply(row: Row, position: number, difference: Value): ColumnChange | undefined {
    const column = this.layout.columns[position];
    const old = row.slots[position];
    if (!column) return undefined;
    if (column.kind === 'set') return this.applyToSet(row, position, difference as AtomSet);
    return this.assign(
      row,
      position,
      mergeDifference(column, old === ABSENT ? undefined : old, difference),
    );
  }

  /** In place: a switch of 65,000 ports that gains one must not be copied. */
  private applyToSet(row: Row, position: number, difference: AtomSet): ColumnChange | undefined {
    if (difference.size === 0) return undefined;
    const old = row.slots[position] as AtomSet;
    const change = splitDifference(old, difference);
    const set = (Object.isFrozen(old) ? new Set(old) : old) as Set<Atom>;
    for (const element of change.removed) set.delete(element);
    for (const element of change.added) set.add(element);
    row.slots[position] = set.size === 0 ? EMPTY_SET : set;
    return change;
  }

  private change(
    kind: RowChange['kind'],
    row: Row,
    changed: ReadonlyMap<string, ColumnChange>,
  ): RowChange {
    return { kind, table: this.name, uuid: row.uuid, row, changed };
  }
}
