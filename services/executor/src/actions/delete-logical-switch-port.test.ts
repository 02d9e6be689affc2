import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteLogicalSwitchPort from './delete-logical-switch-port';
import { plant } from './testing/delete-logical-switch-port';

describeAction(deleteLogicalSwitchPort, inMemory(plant));
