import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteLogicalSwitchPort from './delete-logical-switch-port';
import deleteIp from './delete-ip';
import deleteDhcpOptions from './delete-dhcp-options';
import { describeRank } from './rank.contract';
import { plant } from './testing/delete-logical-switch-port';

describeAction(deleteLogicalSwitchPort, inMemory(plant));
describeRank(deleteLogicalSwitchPort, deleteIp, deleteDhcpOptions);
