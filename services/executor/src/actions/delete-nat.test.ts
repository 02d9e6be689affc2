import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteNat from './delete-nat';
import { plant } from './testing/delete-nat';

describeAction(deleteNat, inMemory(plant));
