import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import deleteBfd from './delete-bfd';
import deleteLogicalRouterPolicy from './delete-logical-router-policy';
import deleteLogicalRouterStaticRoute from './delete-logical-router-static-route';
import { describeRank } from './rank.contract';
import { plant } from './testing/delete-bfd';

describeAction(deleteBfd, inMemory(plant));
describeRank(deleteBfd, deleteLogicalRouterPolicy, deleteLogicalRouterStaticRoute);
