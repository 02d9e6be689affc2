import { type DatabaseSchema, Replica } from '@ovn-steward/ovsdb';
import type { NbRow } from '@ovn-steward/judgement/ownership/grammar/row';
import { createRoles } from '@ovn-steward/systems/ovn/column-role';
import { rowName, rowObject } from '@ovn-steward/systems/ovn/row-object';
import type { RowJson } from '@ovn-steward/systems/northbound/select-rows';

/**
 * A selected row in the form in which rows are judged; a column that was not selected counts as its
 * default.
 */
export type Trim = (table: string, uuid: string, row: RowJson) => NbRow;

export function trimmer(schema: DatabaseSchema): Trim {
  const roleOf = createRoles('ovn-nb');
  return (table, uuid, row) => {
    const of = schema.tables.get(table);
    const alone = new Replica(of ? { ...schema, tables: new Map([[table, of]]) } : schema);
    alone.applyFileRow(table, uuid, row, 'full');
    const held = alone.get(table, uuid)!;
    return {
      kind: table,
      uid: uuid,
      name: rowName(held),
      object: rowObject(held, (column) => roleOf(table, column), [], []),
    };
  };
}
