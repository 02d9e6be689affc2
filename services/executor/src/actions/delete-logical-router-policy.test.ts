import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteLogicalRouterPolicy from './delete-logical-router-policy';
import { plant } from './testing/delete-logical-router-policy';

describeAction(deleteLogicalRouterPolicy, inMemory(plant));
