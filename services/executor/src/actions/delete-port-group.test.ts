import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deletePortGroup from './delete-port-group';
import deleteLogicalRouterPolicy from './delete-logical-router-policy';
import deleteAcl from './delete-acl';
import { describeRank } from './rank.contract';
import { plant } from './testing/delete-port-group';

describeAction(deletePortGroup, inMemory(plant));
describeRank(deletePortGroup, deleteLogicalRouterPolicy, deleteAcl);
