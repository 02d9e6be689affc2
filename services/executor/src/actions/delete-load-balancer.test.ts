import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteLoadBalancer from './delete-load-balancer';
import { plant } from './testing/delete-load-balancer';

describeAction(deleteLoadBalancer, inMemory(plant));
