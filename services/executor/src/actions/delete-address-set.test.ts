import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteAddressSet from './delete-address-set';
import { plant } from './testing/delete-address-set';

describeAction(deleteAddressSet, inMemory(plant));
