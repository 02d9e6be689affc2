import type { Action } from './action';
import { removesRow, type RowAction } from './remove-row';

/**
 * An action that removes a switch or a router with all that is only its own. Only a person's word
 * allows it, and only where Kube-OVN was taken away: no controller leads that would do it, or make
 * it again.
 */
export const removesWhole = <Table extends string>(
  declared: Omit<RowAction<Table>, 'onlyApproved'>,
): Action => ({
  ...removesRow<Table>({ ...declared, onlyApproved: true }),
  onlyUnled: true,
});
