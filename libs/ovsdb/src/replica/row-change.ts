import type { SetChange } from '../schema/difference';
import type { Row } from '../schema/row';
import type { Value } from '../schema/value';

/**
 * How one column changed. A set that may hold more than one element says what it gained and lost,
 * at the cost of the change.
 */
export type ColumnChange = { readonly old: Value; readonly new: Value } | SetChange;

/** What an update did to one row. */
export interface RowChange {
  readonly kind: 'insert' | 'modify' | 'delete';
  readonly table: string;
  readonly uuid: string;
  /** The row as it now is; of a deleted one, as it last was. */
  readonly row: Row;
  /**
   * By column, the columns that changed. Empty unless `kind` is `modify`. A value not known before
   * has `old: undefined`.
   */
  readonly changed: ReadonlyMap<string, ColumnChange>;
}
