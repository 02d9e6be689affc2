import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import removeLoadBalancerVip from './remove-load-balancer-vip';

describeAction(removeLoadBalancerVip, inMemory('remove-load-balancer-vip'));
