import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deletePortGroup from './delete-port-group';
import { plant } from './testing/delete-port-group';

describeAction(deletePortGroup, inMemory(plant));
