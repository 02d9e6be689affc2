import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteHaChassisGroup from './delete-ha-chassis-group';
import { plant } from './testing/delete-ha-chassis-group';

describeAction(deleteHaChassisGroup, inMemory(plant));
