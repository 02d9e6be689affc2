import { PORT_BOUND_AGAIN } from '../action-kit/port-bound-again';
import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-logical-switch-port',
  table: 'Logical_Switch_Port',
  onlyApproved: false,
  rank: 110,
  does: 'Takes the port out of its switch; port groups forget it by themselves.',
  undoing:
    'Southbound makes a new binding with a new tunnel key; the port is down until it is bound again, and its address may have been given to another, which makes undoing impossible.',
  losses: [
    PORT_BOUND_AGAIN,
    'the controller may have forgotten that the address is in use, and give it away, until it starts again',
  ],
});
