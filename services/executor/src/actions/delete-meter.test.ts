import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteMeter from './delete-meter';

describeAction(deleteMeter, inMemory('delete-meter'));
