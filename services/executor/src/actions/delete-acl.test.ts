import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteAcl from './delete-acl';
import { plant } from './testing/delete-acl';

describeAction(deleteAcl, inMemory(plant));
