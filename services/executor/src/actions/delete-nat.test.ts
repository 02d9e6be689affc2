import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteNat from './delete-nat';

describeAction(deleteNat, inMemory('delete-nat'));
