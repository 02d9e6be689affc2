import { deletion } from '../testing/action-cases';
import { type ActionCluster, memoryActionCluster } from '../testing/action-cluster';
import deleteOvnEip from './delete-ovn-eip';
import { describeKubernetesAction } from './kubernetes-action.contract';

let cluster: ActionCluster;
beforeAll(async () => {
  cluster = await memoryActionCluster();
});
describeKubernetesAction(() => cluster, deletion(deleteOvnEip));
