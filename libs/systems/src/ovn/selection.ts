import type { ColumnSchema, DatabaseSchema } from '@ovn-steward/ovsdb';

/** The OVN databases we read; also the name of the one stream of each. */
export type OvnDatabaseId = 'ovn-nb' | 'ovn-sb';

export const DATABASE_NAME: Readonly<Record<OvnDatabaseId, string>> = {
  'ovn-nb': 'OVN_Northbound',
  'ovn-sb': 'OVN_Southbound',
};

type Columns = Readonly<Record<string, readonly string[]>>;

/**
 * Tables read in part. Northbound: NB_Global counts and stamps every configuration round.
 * Southbound: which chassis there are, and where ports are bound, no more.
 */
const ONLY: Readonly<Record<OvnDatabaseId, Columns>> = {
  'ovn-nb': { NB_Global: ['name', 'external_ids', 'options'] },
  'ovn-sb': {
    Chassis: ['name', 'hostname', 'external_ids', 'other_config'],
    Chassis_Private: ['name', 'nb_cfg', 'nb_cfg_timestamp'],
    Encap: ['type', 'ip', 'chassis_name'],
    Port_Binding: ['logical_port', 'chassis', 'additional_chassis', 'up', 'type'],
    SB_Global: ['options'],
  },
};

/**
 * What ovn-northd writes back for its own use (OVN's ovn-nb(5)): it changes without anybody's
 * doing. A session's `status` is carried all the same: sessions are few, and a dead one is a fault.
 */
const WRITTEN_BY_NORTHD: Readonly<Record<OvnDatabaseId, Columns>> = {
  'ovn-nb': {
    Logical_Router_Port: ['status', 'ipv6_prefix'],
    Network_Function_Group: ['network_function_active'],
    Logical_Switch_Port_Health_Check: ['status'],
  },
  'ovn-sb': {},
};

const listed = (columns: Columns, table: string): readonly string[] | undefined =>
  Object.hasOwn(columns, table) ? columns[table] : undefined;

const isWhole = (id: OvnDatabaseId): boolean => id === 'ovn-nb';

/** What a monitor requests: all of Northbound, a few tables of Southbound. */
export const monitorSelection = (
  id: OvnDatabaseId,
): { tables?: readonly string[]; columns: Columns } => ({
  columns: ONLY[id],
  ...(!isWhole(id) && { tables: Object.keys(ONLY[id]) }),
});

/** The kinds our stream of such a database holds completely. */
export const kindsOf = (id: OvnDatabaseId, schema: DatabaseSchema): string[] =>
  [...schema.tables.keys()].filter((table) => isRead(id, table));

export const isRead = (id: OvnDatabaseId, table: string): boolean =>
  isWhole(id) || listed(ONLY[id], table) !== undefined;

/**
 * True for a column that objects carry, or would if it were not turned round. An unknown column is
 * carried.
 */
export const isCarried = (id: OvnDatabaseId, table: string, column: ColumnSchema): boolean =>
  !column.ephemeral &&
  listed(ONLY[id], table)?.includes(column.name) !== false &&
  listed(WRITTEN_BY_NORTHD[id], table)?.includes(column.name) !== true;
