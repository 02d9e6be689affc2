import { type ActionCluster, memoryActionCluster } from '../testing/action-cluster';
import deleteOvnEip from './delete-ovn-eip';
import { actionCase } from './testing/delete-ovn-eip';
import { describeKubernetesAction } from './kubernetes-action.contract';

let cluster: ActionCluster;
beforeAll(async () => {
  cluster = await memoryActionCluster();
});
describeKubernetesAction(() => cluster, deleteOvnEip, actionCase);
