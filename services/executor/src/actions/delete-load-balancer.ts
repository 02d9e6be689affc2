import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-load-balancer',
  table: 'Load_Balancer',
  onlyApproved: false,
  rank: 50,
  does: 'Deletes the load balancer with its health checks; switches and routers forget it by themselves.',
  undoing:
    'The balancer is attached again to the switches and routers it was attached to, where they are still there; connections through it were cut.',
  losses: ['connections through it were cut'],
});
