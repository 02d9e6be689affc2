import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import removeIpPortMapping from './remove-ip-port-mapping';

describeAction(removeIpPortMapping, inMemory('remove-ip-port-mapping'));
