import { equal, type Replica, type Row } from '@ovn-steward/ovsdb';
import { canonicalJson } from '@ovn-steward/shared/canonical-json';

/**
 * The first way in which two databases differ, in a sentence; undefined when every table, row and
 * stored column is equal, and the schemas but for the order of their members, which each server
 * chooses again.
 */
export function firstDifference(one: Replica, other: Replica): string | undefined {
  if (canonicalJson(one.schema.json) !== canonicalJson(other.schema.json))
    return 'the schemas differ';
  for (const table of one.schema.tables.keys()) {
    if (one.size(table) !== other.size(table))
      return `${table} has ${one.size(table)} rows in one and ${other.size(table)} in the other`;
    for (const row of one.rows(table)) {
      const counterpart = other.get(table, row.uuid);
      if (!counterpart) return `row ${row.uuid} of ${table} is missing`;
      const column = differing(row, counterpart);
      if (column !== undefined) return `column ${column} of row ${row.uuid} of ${table} differs`;
    }
  }
  return undefined;
}

/** Ephemeral columns live in a server's memory only (RFC 7047 section 3.2): no file has them. */
function differing(one: Row, other: Row): string | undefined {
  for (const [column, value] of one.columns()) {
    if (!column.ephemeral && (!other.has(column.name) || !equal(value, other.get(column.name))))
      return column.name;
  }
  return undefined;
}
