import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { parseAllDocuments } from 'yaml';
import {
  type ActionCase,
  deletion,
  NOTE,
  reallocation,
  restart,
  signal,
  stripping,
} from '../testing/action-cases';
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

const ACCOUNT = {
  name: 'system:serviceaccount:ovn-steward:ovn-steward-executor',
  token: 'token-of-the-executor',
};
const ROLES = join(__dirname, '../../../../deploy/rbac.yaml');
const CASES: readonly ActionCase[] = [
  deletion(deleteIp),
  deletion(deleteVip),
  deletion(deleteOvnEip),
  deletion(deleteIptablesEip),
  restart(restartPod),
  reallocation(reallocatePod),
  stripping(stripFinalizer),
];

describeWith(kubernetes, 'on kube-apiserver, as the account of deploy/rbac.yaml', () => {
  let real: RealKubernetes;
  let cluster: ActionCluster;
  beforeAll(async () => {
    real = await realKubernetes([ACCOUNT]);
    await real.server.apply(
      parseAllDocuments(readFileSync(ROLES, 'utf8')).map((it) => it.toJS() as never),
    );
    const executor = real.by(ACCOUNT.token);
    cluster = {
      kubernetes: executor,
      others: real.kubernetes,
      put: (it) => real.put(it),
      losing: (what) => real.losing(what),
      northbound: await emptyNorthbound(),
    };
    await waitFor(
      () =>
        executor.count('IP', signal).then(
          () => true,
          () => false,
        ),
      { what: 'the account to have its roles', timeoutMs: 10_000 },
    );
  }, 180_000);
  afterAll(() => real?.stop());

  for (const each of CASES) describeKubernetesAction(() => cluster, each);

  test('it may tell of an object, and change nothing else', async () => {
    const { kubernetes: executor } = cluster;
    const subnet = await cluster.put({
      apiVersion: 'kubeovn.io/v1',
      kind: 'Subnet',
      metadata: { name: 'untouched' },
      spec: {},
    });
    const version = {
      kind: 'Subnet',
      name: 'untouched',
      uid: subnet.metadata.uid,
      resourceVersion: subnet.metadata.resourceVersion,
    };
    expect(
      await executor.tell(
        { regarding: version, type: 'Normal', reason: 'Refused', action: 'None', note: NOTE.rule },
        signal,
      ),
    ).toBe(true);
    const forbidden = { is: 'refused', why: 'forbidden' };
    expect(await executor.delete(version, signal)).toMatchObject(forbidden);
    const group = await cluster.put({
      apiVersion: 'kubeovn.io/v1',
      kind: 'SecurityGroup',
      metadata: { name: 'untouched' },
      spec: {},
    });
    const ofGroup = {
      kind: 'SecurityGroup',
      name: 'untouched',
      uid: group.metadata.uid,
      resourceVersion: group.metadata.resourceVersion,
    };
    expect(
      await executor.patch(ofGroup, [{ op: 'add', path: '/metadata/labels', value: {} }], signal),
    ).toMatchObject(forbidden);
    for (const kind of ['SecurityGroup', 'Vlan', 'ProviderNetwork'])
      expect(
        await executor.create(
          kind,
          { apiVersion: 'kubeovn.io/v1', kind, metadata: { name: 'made' } },
          signal,
        ),
      ).toMatchObject(forbidden);
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'made', namespace: 'default' },
      spec: { containers: [{ name: 'main', image: 'example.com/main' }] },
    };
    expect(await executor.create('Pod', pod, signal)).toMatchObject(forbidden);
    const {
      metadata: { uid, resourceVersion },
    } = await cluster.put(pod);
    expect(
      await executor.delete(
        { kind: 'Pod', namespace: 'default', name: 'made', uid, resourceVersion },
        signal,
      ),
    ).toMatchObject(forbidden);
    expect(await cluster.others.get('Subnet', undefined, 'untouched', signal)).toEqual(subnet);
  });
});
