import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { withoutRows } from './without-rows';
import type { Systems } from '@ovn-steward/systems/systems';

/**
 * The systems as they will be when an entry's turn comes: without the rows that the entries before
 * it remove.
 */
export function systemsAhead(systems: Systems): {
  readonly systems: Systems;
  /**
   * Adds what is removed: later reads do not return it. `besides`: rows that something else removes
   * then, by uuid.
   */
  remove(undo: Undo | undefined, besides?: readonly string[]): void;
} {
  const rows = new Set<string>();
  return {
    systems: { ...systems, northbound: withoutRows(systems.northbound, rows) },
    remove(undo, besides = []) {
      if (undo?.of === 'rows') for (const { uuid } of undo.rows) rows.add(uuid);
      for (const uuid of besides) rows.add(uuid);
    },
  };
}
