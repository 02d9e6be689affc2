import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteLoadBalancerHealthCheck from './delete-load-balancer-health-check';

describeAction(deleteLoadBalancerHealthCheck, inMemory('delete-load-balancer-health-check'));
