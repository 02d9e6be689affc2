import { OvsdbError } from '../wire/errors';
import { ABSENT, type RowLayout, Row, type Slot } from './row';
import { decode, encode, equal } from './value';

/**
 * A row under another version of its table's schema: columns the new one lacks are dropped, new
 * ones get their default, and a value whose type changed goes by way of its JSON, as in
 * ovsdb-server.
 *
 * @throws OvsdbError `schema-mismatch` when a value does not fit the new type.
 */
export function convertRow(row: Row, layout: RowLayout): Row {
  const slots: Slot[] = layout.blank.slice();
  for (const { column, slot } of row.all()) {
    const position = layout.position.get(column.name);
    const to = position === undefined ? undefined : layout.columns[position];
    if (position === undefined || !to) continue;
    // What was not known is what the new layout says of it: a column that files begin to store
    // begins with its default.
    if (slot === ABSENT) continue;
    try {
      const value = decode(to, encode(column, slot));
      slots[position] = equal(value, slot) ? slot : value;
    } catch (error) {
      throw new OvsdbError(
        'schema-mismatch',
        `Column ${column.name} of row ${row.uuid} of ${row.table} does not fit its type in the new schema. Read the whole content again.`,
        { cause: error },
      );
    }
  }
  return new Row(layout, row.uuid, slots);
}
