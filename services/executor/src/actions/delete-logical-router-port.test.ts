import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteLogicalRouterPort from './delete-logical-router-port';
import deleteLogicalSwitchPort from './delete-logical-switch-port';
import { describeRank } from './rank.contract';
import { plant } from './testing/delete-logical-router-port';

describeAction(deleteLogicalRouterPort, inMemory(plant));
describeRank(deleteLogicalRouterPort, deleteLogicalSwitchPort);
