import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { type ActionCase, deletion, reallocation, restart, stripping } from '../testing/action-cases';
import { type ActionCluster, emptyNorthbound } from '../testing/action-cluster';
import { type RealKubernetes, realKubernetes } from '../testing/real-kubernetes';
import deleteIp from './delete-ip';
import deleteIptablesEip from './delete-iptables-eip';
import deleteOvnEip from './delete-ovn-eip';
import deleteVip from './delete-vip';
import { describeKubernetesAction } from './kubernetes-action.contract';
import reallocatePod from './reallocate-pod';
import restartPod from './restart-pod';
import stripFinalizer from './strip-finalizer';

const CASES: readonly ActionCase[] = [deletion(deleteIp), deletion(deleteVip), deletion(deleteOvnEip), deletion(deleteIptablesEip), restart(restartPod), reallocation(reallocatePod), stripping(stripFinalizer)];

describeWith(kubernetes, 'on kube-apiserver', () => {
  let real: RealKubernetes;
  let cluster: ActionCluster;
  beforeAll(async () => {
    real = await realKubernetes();
    cluster = { kubernetes: real.kubernetes, put: (it) => real.put(it), losing: (what) => real.losing(what), northbound: await emptyNorthbound() };
  }, 180_000);
  afterAll(() => real?.stop());

  for (const each of CASES) describeKubernetesAction(() => cluster, each);
});
