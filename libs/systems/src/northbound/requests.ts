import type { Operation } from '@ovn-steward/ovsdb';

/** The OVSDB lock that a writing executor holds. */
export const EXECUTOR_LOCK = 'ovn_steward_executor';

const CHANGES: ReadonlySet<Operation['op']> = new Set<Operation['op']>([
  'insert',
  'update',
  'mutate',
  'delete',
]);

/**
 * A read is sent again after a lost connection, and does not assert the lock.
 * @throws TypeError for operations that could change the database: those without an `abort` among
 *   them, which rolls all back.
 */
export function refuseChanges(operations: readonly Operation[]): void {
  const change = operations.find(({ op }) => CHANGES.has(op));
  if (change !== undefined && !operations.some(({ op }) => op === 'abort'))
    throw new TypeError(
      `A read contains ${change.op}. Send it as a write, or add an abort operation.`,
    );
}

/** @throws TypeError for a change to every row of a table, which no action means. */
export function refuseEveryRow(operations: readonly Operation[]): void {
  for (const operation of operations) {
    if (
      (operation.op === 'update' || operation.op === 'mutate' || operation.op === 'delete') &&
      operation.where.length === 0
    )
      throw new TypeError(
        `${operation.op} on ${operation.table} has no condition and would match every row.`,
      );
  }
}
