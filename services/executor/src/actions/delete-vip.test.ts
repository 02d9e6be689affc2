import { type ActionCluster, memoryActionCluster } from '../testing/action-cluster';
import deleteVip from './delete-vip';
import { actionCase } from './testing/delete-vip';
import { describeKubernetesAction } from './kubernetes-action.contract';

let cluster: ActionCluster;
beforeAll(async () => {
  cluster = await memoryActionCluster();
});
describeKubernetesAction(() => cluster, deleteVip, actionCase);
