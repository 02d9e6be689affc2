import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteBfd from './delete-bfd';
import { plant } from './testing/delete-bfd';

describeAction(deleteBfd, inMemory(plant));
