import type { Row, Value } from '@ovn-steward/ovsdb';

/**
 * What ovn-northd and ovn-controller write (ovn-nb(5)): whatever a backup has there is no longer
 * true of what runs now.
 */
const WRITTEN_BY_NORTHD: Readonly<Record<string, readonly string[]>> = {
  NB_Global: [
    'nb_cfg',
    'nb_cfg_timestamp',
    'sb_cfg',
    'sb_cfg_timestamp',
    'hv_cfg',
    'hv_cfg_timestamp',
  ],
  Logical_Switch_Port: ['up', 'dynamic_addresses'],
  Logical_Router_Port: ['ipv6_prefix', 'status'],
  BFD: ['status'],
  Network_Function_Group: ['network_function_active'],
  Logical_Switch_Port_Health_Check: ['status'],
};

/** A column that ovn-northd or ovn-controller writes as soon as the row is there. */
export const isWrittenByNorthd = (table: string, column: string): boolean =>
  Object.hasOwn(WRITTEN_BY_NORTHD, table) && WRITTEN_BY_NORTHD[table]!.includes(column);

const KEYS_OF_NORTHD = [
  'mac_prefix',
  'svc_monitor_mac',
  'svc_monitor_mac_dst',
  'max_tunid',
  'northd_internal_version',
];

/** Never restored unless named: a restore over the network could cut its own connection. */
const ACCESS_TABLES: ReadonlySet<string> = new Set(['Connection', 'SSL']);
const ACCESS_COLUMNS: Readonly<Record<string, string>> = { connections: 'Connection', ssl: 'SSL' };

export const isAccessTable = (table: string): boolean => ACCESS_TABLES.has(table);

const filled = (value: Value): boolean =>
  value !== undefined && !(value instanceof Set && value.size === 0);

/**
 * Whether a column is left as it is, or in a new row at its default. A port's `tag` is northd's
 * when one was requested (`tag_request`).
 */
export function isKeptColumn(
  row: Row,
  column: string,
  tables: ReadonlySet<string> | undefined,
): boolean {
  const { table } = row;
  if (isWrittenByNorthd(table, column)) return true;
  if (table === 'Logical_Switch_Port' && column === 'tag') return filled(row.get('tag_request'));
  if (table !== 'NB_Global' || !Object.hasOwn(ACCESS_COLUMNS, column)) return false;
  return tables?.has(ACCESS_COLUMNS[column] ?? '') !== true;
}

/**
 * The value a column is to have: the backup's, but for the keys of NB_Global's options that are
 * northd's.
 */
export function withKeptKeys(table: string, column: string, wanted: Value, live: Value): Value {
  if (table !== 'NB_Global' || column !== 'options' || !(wanted instanceof Map)) return wanted;
  const merged = new Map(wanted);
  for (const key of KEYS_OF_NORTHD) {
    const now = live instanceof Map ? live.get(key) : undefined;
    if (now === undefined) merged.delete(key);
    else merged.set(key, now);
  }
  return merged;
}
