import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-load-balancer-health-check',
  table: 'Load_Balancer_Health_Check',
  // The address it checks may come back to the balancer right before it goes.
  restsOn: { table: 'Load_Balancer', by: 'health_check', column: 'vips' },
  onlyApproved: false,
  rank: 41,
  does: 'Takes the health check out of its load balancer.',
  undoing: 'The check comes back and learns the state of its backends again.',
  losses: ['it learns the state of its backends again'],
});
