import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteAcl from './delete-acl';

describeAction(deleteAcl, inMemory('delete-acl'));
