import { describe, type Reference } from '@ovn-steward/contracts/identity/reference';
import type { Undo } from '@ovn-steward/contracts/actions/undo';

/**
 * Why a record cannot be what puts an entry back that an action took out of a column; undefined
 * when it can.
 */
export function restoresEntry(
  table: string,
  column: string,
  target: Reference,
  undo: Undo,
): string | undefined {
  if (undo.of !== 'entry') return `one entry is to come back, and the record is of ${undo.of}`;
  if (target.source !== 'ovn-nb' || target.kind !== table || target.part?.column !== column)
    return `entries of ${column} of a ${table} were taken, not ${describe(target)}`;
  return undo.table === table &&
    undo.column === column &&
    undo.uuid === target.uid &&
    undo.name === target.name &&
    undo.key === target.part.key
    ? undefined
    : `the record is of ${undo.key} in ${undo.column} of ${undo.table} ${undo.name || undo.uuid}, and ${describe(target)} was taken`;
}
