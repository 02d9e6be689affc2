import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteDhcpOptions from './delete-dhcp-options';

describeAction(deleteDhcpOptions, inMemory('delete-dhcp-options'));
