import { type ActionCluster, memoryActionCluster } from '../testing/action-cluster';
import deleteIptablesEip from './delete-iptables-eip';
import { actionCase } from './testing/delete-iptables-eip';
import { describeKubernetesAction } from './kubernetes-action.contract';

let cluster: ActionCluster;
beforeAll(async () => {
  cluster = await memoryActionCluster();
});
describeKubernetesAction(() => cluster, deleteIptablesEip, actionCase);
