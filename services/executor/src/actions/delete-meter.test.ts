import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteMeter from './delete-meter';
import deleteAcl from './delete-acl';
import deletePortGroup from './delete-port-group';
import { describeRank } from './rank.contract';
import { plant } from './testing/delete-meter';

describeAction(deleteMeter, inMemory(plant));
describeRank(deleteMeter, deleteAcl, deletePortGroup);
