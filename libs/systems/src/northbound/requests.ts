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
