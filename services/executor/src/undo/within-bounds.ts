import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { isUndoUnderstood } from '@ovn-steward/contracts/actions/action-codec';
import { actionOf } from '../actions/registry';

/** The fields of a record that decide whether its action may be undone. */
export type Undoable = Pick<ActionRecord, 'action' | 'target' | 'undo'>;

/**
 * Why what undoes a record is not what its action can have removed from its target; undefined when
 * it can be. It holds for every author of the record: a put-back writes what the action took from
 * there, and nothing else anywhere.
 */
export function outOfBounds({ action, target, undo }: Undoable): string | undefined {
  if (undo === null) return 'nothing of it was recorded';
  if (!isUndoUnderstood(undo)) return 'only a later version knows how it is put back';
  const known = actionOf(action);
  if (known === undefined) return `this version has no action ${action}`;
  const why = known.restores(target, undo);
  return why && `the record is not what ${action} can have removed: ${why}`;
}
