import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteDhcpOptions from './delete-dhcp-options';
import { plant } from './testing/delete-dhcp-options';

describeAction(deleteDhcpOptions, inMemory(plant));
