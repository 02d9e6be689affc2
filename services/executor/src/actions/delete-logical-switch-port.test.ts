import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteLogicalSwitchPort from './delete-logical-switch-port';

describeAction(deleteLogicalSwitchPort, inMemory('delete-logical-switch-port'));
