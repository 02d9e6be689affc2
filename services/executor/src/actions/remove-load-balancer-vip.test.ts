import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import removeLoadBalancerVip from './remove-load-balancer-vip';
import { plant } from './testing/remove-load-balancer-vip';

describeAction(removeLoadBalancerVip, inMemory(plant));
