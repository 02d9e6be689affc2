import { removesEntry } from '../action-kit/remove-entry';

export default removesEntry({
  id: 'remove-load-balancer-vip',
  table: 'Load_Balancer',
  column: 'vips',
  onlyApproved: false,
  rank: 40,
  does: 'Takes the address and port, with its backends, out of the load balancer.',
  undoing:
    'The entry comes back with its backends of then, unless the address and port were given others. Its health checks and the port mappings of its backends stay throughout; connections to it were cut.',
});
