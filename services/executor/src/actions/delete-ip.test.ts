import { type ActionCluster, memoryActionCluster } from '../testing/action-cluster';
import deleteIp from './delete-ip';
import { actionCase } from './testing/delete-ip';
import { describeKubernetesAction } from './kubernetes-action.contract';

let cluster: ActionCluster;
beforeAll(async () => {
  cluster = await memoryActionCluster();
});
describeKubernetesAction(() => cluster, deleteIp, actionCase);
