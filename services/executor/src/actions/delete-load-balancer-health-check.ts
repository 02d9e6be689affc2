import { removesRow } from '../northbound/remove-row';

export default removesRow({
  id: 'delete-load-balancer-health-check',
  table: 'Load_Balancer_Health_Check',
  onlyApproved: false,
  rank: 41,
  does: 'Takes the health check out of its load balancer.',
  undoing: 'The check comes back and learns the state of its backends anew.',
});
