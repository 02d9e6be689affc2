import type { NbRow } from './grammar/row';
import { mapOf, columnText } from './grammar/row';

interface Mark {
  readonly table: string;
  readonly column: 'external_ids' | 'options' | 'other_config';
  readonly key: string;
}

/**
 * What the ovn-ic daemon leaves on rows it makes or learned; it deletes such rows itself when its
 * own database lacks them.
 */
const MARKS: readonly Mark[] = [
  { table: 'Logical_Switch', column: 'other_config', key: 'interconn-ts' },
  { table: 'Logical_Router', column: 'options', key: 'interconn-tr' },
  { table: 'Logical_Router_Port', column: 'options', key: 'interconn-tr' },
  { table: 'Logical_Switch_Port', column: 'options', key: 'interconn-tsp' },
  { table: 'Logical_Router_Static_Route', column: 'external_ids', key: 'ic-learned-route' },
  { table: 'Address_Set', column: 'external_ids', key: 'ic-learnt' },
];

const byTable = new Map<string, Mark[]>();
for (const mark of MARKS) byTable.set(mark.table, [...(byTable.get(mark.table) ?? []), mark]);

/** The mark by which ovn-ic made this row, as a sentence; undefined when there is none. */
export function ovnIcMark(row: NbRow): string | undefined {
  for (const { column, key } of byTable.get(row.kind) ?? []) {
    if (Object.hasOwn(mapOf(row, column), key)) return `${column} has ovn-ic's mark ${key}`;
  }
  if (row.kind === 'Logical_Switch_Port' && columnText(row, 'type') === 'remote')
    return 'a port of type remote is made by ovn-ic';
  return undefined;
}
