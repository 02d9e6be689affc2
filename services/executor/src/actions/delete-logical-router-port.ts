import { PORT_BOUND_AGAIN } from '../action-kit/port-bound-again';
import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-logical-router-port',
  table: 'Logical_Router_Port',
  onlyApproved: false,
  rank: 120,
  does: 'Takes the port, with its gateway chassis, out of its router.',
  undoing:
    'Southbound makes a new binding with a new tunnel key; traffic through the port was cut.',
  losses: [PORT_BOUND_AGAIN],
});
