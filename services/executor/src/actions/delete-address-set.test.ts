import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteAddressSet from './delete-address-set';
import deleteNat from './delete-nat';
import deletePortGroup from './delete-port-group';
import { describeRank } from './rank.contract';
import { plant } from './testing/delete-address-set';

describeAction(deleteAddressSet, inMemory(plant));
describeRank(deleteAddressSet, deleteNat, deletePortGroup);
