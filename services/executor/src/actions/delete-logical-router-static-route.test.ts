import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteLogicalRouterStaticRoute from './delete-logical-router-static-route';
import { plant } from './testing/delete-logical-router-static-route';

describeAction(deleteLogicalRouterStaticRoute, inMemory(plant));
