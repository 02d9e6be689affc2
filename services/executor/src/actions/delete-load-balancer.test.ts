import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteLoadBalancer from './delete-load-balancer';

describeAction(deleteLoadBalancer, inMemory('delete-load-balancer'));
