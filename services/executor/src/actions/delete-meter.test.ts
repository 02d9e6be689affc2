import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteMeter from './delete-meter';
import { plant } from './testing/delete-meter';

describeAction(deleteMeter, inMemory(plant));
