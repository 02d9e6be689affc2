import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteQos from './delete-qos';

describeAction(deleteQos, inMemory('delete-qos'));
