import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteBfd from './delete-bfd';

describeAction(deleteBfd, inMemory('delete-bfd'));
