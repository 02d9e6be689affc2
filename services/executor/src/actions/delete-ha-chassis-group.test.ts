import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteHaChassisGroup from './delete-ha-chassis-group';
import deleteLogicalRouterPort from './delete-logical-router-port';
import { describeRank } from './rank.contract';
import { plant } from './testing/delete-ha-chassis-group';

describeAction(deleteHaChassisGroup, inMemory(plant));
describeRank(deleteHaChassisGroup, deleteLogicalRouterPort);
