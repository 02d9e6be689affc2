import { describe } from '@ovn-steward/contracts/identity/reference';
import { type Action, refusal } from '../action-kit/action';

/**
 * Puts back rows of other owners that were damaged (rule `neighbour-damaged`), as its findings
 * carry them. It removes nothing, so that it is not carried out as other actions are: all rows that
 * may go back do so in one transaction, since they refer to each other (`restoreDamaged`).
 */
const restoreRows: Action = {
  id: 'restore-rows',
  on: 'ovn-nb',
  kinds: [
    'ACL',
    'Address_Set',
    'DHCP_Options',
    'HA_Chassis_Group',
    'Load_Balancer',
    'Load_Balancer_Group',
    'Load_Balancer_Health_Check',
    'Logical_Router',
    'Logical_Switch',
    'Meter',
    'Port_Group',
  ],
  verb: null,
  finishedBy: null,
  onlyApproved: false,
  rank: 0,
  does: 'Inserts rows of other owners again that somebody else deleted, with their uuids and references, and sets back the tier and the members of those that were changed; all that may go back in one transaction, after a backup.',
  undoing:
    'Not possible: the rows belong to others and are not removed again. The backup that was taken before has the database as it was without them.',
  restores: () => 'the rows belong to others and are not removed again',
  prepare: (target) =>
    Promise.resolve(
      refusal(
        'waits',
        `${describe(target)} is put back by the executor together with what went with it, not by a plan: approve the finding (steward approve), or use steward restore`,
      ),
    ),
};
export default restoreRows;
