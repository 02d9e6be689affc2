import { describe, type Reference } from '@ovn-steward/contracts/identity/reference';
import type { Undo } from '@ovn-steward/contracts/actions/undo';

/**
 * Why a record cannot be what brings back the row that an action removed; undefined when it can, as
 * far as it says itself. Whether its other rows went with that one is held against the schema
 * (`whyNotOurs`).
 */
export function restoresRow(table: string, target: Reference, undo: Undo): string | undefined {
  if (undo.of !== 'rows') return `a whole row is to come back, and the record is of ${undo.of}`;
  if (target.source !== 'ovn-nb' || target.kind !== table || target.part !== undefined)
    return `rows of ${table} were removed, not ${describe(target)}`;
  const [row] = undo.rows;
  return row?.table === table && row.uuid === target.uid && row.name === target.name
    ? undefined
    : `the record is of ${row?.table} ${row?.name || row?.uuid}, and ${describe(target)} was removed`;
}
