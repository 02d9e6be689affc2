import type { Action } from '../actions/action';
import { ledByController } from '../kubernetes/controller-lease';
import { removesRow, type RowAction } from './remove-row';

/**
 * An action that removes a switch or a router with all that is only its own. Only a person's word allows it, and only where Kube-OVN was taken away: no
 * controller leads that would do it, or make it again.
 */
export function removesWhole(declared: Omit<RowAction, 'onlyApproved'>): Action {
  const action = removesRow({ ...declared, onlyApproved: true });
  return {
    ...action,
    prepare: async (target, note, systems, signal) => (await ledByController(systems.kubernetes, Date.now(), signal)) ?? action.prepare(target, note, systems, signal),
  };
}
