import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteQos from './delete-qos';
import { plant } from './testing/delete-qos';

describeAction(deleteQos, inMemory(plant));
