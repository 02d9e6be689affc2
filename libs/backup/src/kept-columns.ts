import type { Row, Value } from '@ovn-steward/ovsdb';
import { isWrittenByNorthd } from '@ovn-steward/systems/northbound/stored-columns';

/** Counters that ovn-northd and ovn-controller write (ovn-nb(5)): a backup's are no longer true. */
const GLOBAL_COUNTERS: ReadonlySet<string> = new Set([
  'nb_cfg',
  'nb_cfg_timestamp',
  'sb_cfg',
  'sb_cfg_timestamp',
  'hv_cfg',
  'hv_cfg_timestamp',
]);

/** A column that ovn-northd or ovn-controller writes as soon as the row is there. */
export const isWrittenByOvn = (table: string, column: string): boolean =>
  isWrittenByNorthd(table, column) || (table === 'NB_Global' && GLOBAL_COUNTERS.has(column));

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
  if (isWrittenByOvn(table, column)) return true;
  if (table === 'Logical_Switch_Port' && column === 'tag') return filled(row.get('tag_request'));
  if (table !== 'NB_Global' || !Object.hasOwn(ACCESS_COLUMNS, column)) return false;
  return tables?.has(ACCESS_COLUMNS[column] ?? '') !== true;
}

/**
 * The value a column is to have: the backup's, but for the keys of NB_Global's options that are
 * northd's.
 */
export function withKeptKeys(table: string, column: string, desired: Value, live: Value): Value {
  if (table !== 'NB_Global' || column !== 'options' || !(desired instanceof Map)) return desired;
  const merged = new Map(desired);
  for (const key of KEYS_OF_NORTHD) {
    const now = live instanceof Map ? live.get(key) : undefined;
    if (now === undefined) merged.delete(key);
    else merged.set(key, now);
  }
  return merged;
}
