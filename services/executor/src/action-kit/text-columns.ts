import { type Condition, type DatabaseSchema, operation } from '@ovn-steward/ovsdb';
import { KNOWN_COLUMNS } from '@ovn-steward/judgement/ownership/known-columns';
import { PROTECTED_TABLES } from '@ovn-steward/judgement/ownership/protected-tables';

/**
 * Rows of the table that name another row by its whole name: the server can select them, and guard
 * that there are none.
 */
export interface NamingCondition {
  readonly table: string;
  readonly where: readonly Condition[];
  readonly place: string;
}

interface NamingColumn {
  readonly table: string;
  readonly column: string;
  /** In a map: the key under which the name stands. */
  readonly key?: string;
}

/**
 * Columns that hold the name of a row, by that row's table (ovn-nb(5); NB schema 7.19). Expressions
 * are not listed: no condition matches inside them.
 */
const NAMING: ReadonlyMap<string, readonly NamingColumn[]> = new Map([
  [
    'Logical_Switch_Port',
    [
      { table: 'Logical_Switch_Port', column: 'parent_name' },
      { table: 'Logical_Switch_Port', column: 'peer' },
      { table: 'NAT', column: 'logical_port' },
      { table: 'Forwarding_Group', column: 'child_port' },
      { table: 'Mirror', column: 'sink' },
    ],
  ],
  [
    'Logical_Router_Port',
    [
      { table: 'Logical_Switch_Port', column: 'options', key: 'router-port' },
      { table: 'Logical_Router_Port', column: 'peer' },
      { table: 'Logical_Router_Static_Route', column: 'output_port' },
      { table: 'BFD', column: 'logical_port' },
      { table: 'Static_MAC_Binding', column: 'logical_port' },
    ],
  ],
  ['Meter', [{ table: 'ACL', column: 'meter' }]],
  ['Port_Group', []],
  ['Address_Set', []],
]);

/** Tables whose rows have a name that nothing refers to them by. */
const NEVER_NAMED: ReadonlySet<string> = new Set([
  'HA_Chassis_Group',
  'Load_Balancer',
  'Logical_Router',
  'Logical_Switch',
]);

/** Whether the name of a row of the table may stand in a text somewhere. */
export const isNamedInTexts = (table: string): boolean => NAMING.has(table);

/** Whether it is known of the table, either way. */
export const namesKnown = (table: string): boolean =>
  isNamedInTexts(table) || NEVER_NAMED.has(table);

/**
 * Tables whose rows are named in expressions or in maps, which can only be found by reading all
 * rows; with the columns to read.
 */
const SCANNED: ReadonlyMap<string, readonly NamingColumn[]> = new Map([
  ['Port_Group', matches()],
  ['Address_Set', matches()],
  ['Meter', [{ table: 'Copp', column: 'meters' }]],
]);

function matches(): NamingColumn[] {
  return ['ACL', 'Logical_Router_Policy', 'NAT', 'QoS', 'Mirror_Rule'].map((table) => ({
    table,
    column: 'match',
  }));
}

const has = (schema: DatabaseSchema, { table, column }: NamingColumn): boolean =>
  schema.tables.get(table)?.columns.has(column) === true;

const isKnown = (table: string, column: string): boolean =>
  KNOWN_COLUMNS.get(table)?.has(column) ?? PROTECTED_TABLES.has(table);

/** Text columns of a newer schema: any of them may name any row. */
function unknownTexts(schema: DatabaseSchema, inMaps: boolean): NamingColumn[] {
  return [...schema.tables.values()].flatMap((table) =>
    [...table.columns.values()].flatMap((column) => {
      const isText = column.key.type === 'string' || column.value?.type === 'string';
      return isText &&
        column.key.enum === undefined &&
        (column.kind === 'map') === inMaps &&
        !isKnown(table.name, column.name)
        ? [{ table: table.name, column: column.name }]
        : [];
    }),
  );
}

const textNameable = (table: string, name: string): boolean => isNamedInTexts(table) && name !== '';

/**
 * Where the name of a row of that table may stand by itself. Empty for rows that are not named by
 * text.
 */
export function namingConditions(
  schema: DatabaseSchema,
  of: string,
  name: string,
): readonly NamingCondition[] {
  if (!textNameable(of, name)) return [];
  return [
    ...(NAMING.get(of) ?? []).filter((it) => has(schema, it)),
    ...unknownTexts(schema, false),
  ].map(({ table, column, key }) => ({
    table,
    where: [[column, 'includes', key === undefined ? name : operation.map([[key, name]])]],
    place: key === undefined ? column : `${column}:${key}`,
  }));
}

/** Columns to read of every row of their table to learn whether one names a row of that table. */
export function scannedColumns(
  schema: DatabaseSchema,
  of: string,
  name: string,
): ReadonlyMap<string, readonly string[]> {
  if (!textNameable(of, name)) return new Map();
  const columns = new Map<string, string[]>();
  for (const namingColumn of [
    ...(SCANNED.get(of) ?? []).filter((each) => has(schema, each)),
    ...unknownTexts(schema, true),
  ]) {
    columns.set(namingColumn.table, [
      ...(columns.get(namingColumn.table) ?? []),
      namingColumn.column,
    ]);
  }
  return columns;
}
