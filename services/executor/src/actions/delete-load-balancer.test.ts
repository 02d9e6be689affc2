import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteLoadBalancer from './delete-load-balancer';
import removeLoadBalancerVip from './remove-load-balancer-vip';
import deleteLoadBalancerHealthCheck from './delete-load-balancer-health-check';
import { describeRank } from './rank.contract';
import { plant } from './testing/delete-load-balancer';

describeAction(deleteLoadBalancer, inMemory(plant));
describeRank(deleteLoadBalancer, removeLoadBalancerVip, deleteLoadBalancerHealthCheck);
