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
  onlyApproved: false,
  rank: 0,
  does: 'Puts rows of other owners back that somebody else deleted, moved to another tier or took members from, with their uuids and references, together with all others that may go back; a backup is taken before.',
  undoing:
    'The rows are not removed again: they are their owners’. The backup that was taken before has the state without them.',
  restores: () => 'rows of other owners that were put back are not removed again',
  prepare: (target) =>
    Promise.resolve(
      refusal(
        'waits',
        `${describe(target)} is put back by the executor together with what went with it, not by a plan: approve the finding (steward approve), or use steward restore`,
      ),
    ),
};
export default restoreRows;
