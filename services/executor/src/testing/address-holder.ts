import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import type { MakeObject } from './action-cases';
import { actionCaseOf, OBJECT_ACTIONS } from './planted';

/**
 * An object of a kind that an action deletes, as that action's case makes it.
 * @throws Error for another kind.
 */
export function addressHolder(kind: string, ...named: Parameters<MakeObject>): GivenObject {
  const deleting = OBJECT_ACTIONS.find(
    ({ verb, kinds }) => verb === 'delete' && kinds.includes(kind),
  );
  if (deleting === undefined) throw new Error(`no action deletes objects of kind ${kind}`);
  return actionCaseOf(deleting.id).makeObject!(...named);
}
