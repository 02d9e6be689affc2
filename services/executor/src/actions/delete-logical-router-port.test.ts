import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteLogicalRouterPort from './delete-logical-router-port';

describeAction(deleteLogicalRouterPort, inMemory('delete-logical-router-port'));
