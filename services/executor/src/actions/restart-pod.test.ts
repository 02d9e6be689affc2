import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { COMMENT, podOfReplicaSet, signal } from '../testing/action-cases';
import { memoryActionCluster } from '../testing/action-cluster';
import { describeKubernetesAction } from './kubernetes-action.contract';
import restartPod from './restart-pod';
import { actionCase } from './testing/restart-pod';

let cluster: Awaited<ReturnType<typeof memoryActionCluster>>;
beforeAll(async () => {
  cluster = await memoryActionCluster();
});
describeKubernetesAction(() => cluster, restartPod, actionCase);

const targetOf = ({ metadata: { name, uid } }: KubernetesObject): Reference => ({
  source: 'kubernetes',
  kind: 'Pod',
  namespace: 'shop',
  name,
  uid,
});
const prepare = (pod: KubernetesObject) =>
  restartPod.prepare(targetOf(pod), COMMENT, cluster, signal);

test("only with a person's word", () => expect(restartPod.onlyApproved).toBe(true));

test.each([
  ['nobody made', undefined],
  [
    'a Job made, which is none of the kinds we read',
    { apiVersion: 'batch/v1', kind: 'Job', name: 'x', uid: 'u', controller: true },
  ],
  [
    'a machine has',
    {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      name: 'x',
      uid: 'u',
      controller: true,
    },
  ],
  [
    'a ReplicaSet of another group made',
    {
      apiVersion: 'example.com/v1',
      kind: 'ReplicaSet',
      name: 'owner-set',
      uid: 'u',
      controller: true,
    },
  ],
  [
    'a ReplicaSet that is gone made',
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone', uid: 'u', controller: true },
  ],
  [
    'a namesake of the ReplicaSet that is there made',
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'owner-set', uid: 'u', controller: true },
  ],
])('refuses a pod that %s', async (_name, owner) => {
  await podOfReplicaSet(cluster, 'owner');
  const pod = cluster.kubernetes.put({
    kind: 'Pod',
    metadata: { name: 'bare', namespace: 'shop', ...(owner && { ownerReferences: [owner] }) },
  });
  expect(await prepare(pod)).toMatchObject({ is: 'refused', code: 'unsupported' });
});

test('refuses one whose owner lives and is not its controller', async () => {
  const pod = await podOfReplicaSet(cluster, 'adopted');
  const [owner] = pod.metadata['ownerReferences'] as object[];
  expect(
    await prepare(
      cluster.kubernetes.put({
        ...pod,
        metadata: { ...pod.metadata, ownerReferences: [{ ...owner, controller: false }] },
      } as never),
    ),
  ).toMatchObject({ is: 'refused', code: 'unsupported' });
});

test('one that is being deleted is gone', async () => {
  const pod = await podOfReplicaSet(cluster, 'ending');
  expect(
    await prepare(
      cluster.kubernetes.put({
        ...pod,
        metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
      } as never),
    ),
  ).toMatchObject({ is: 'refused', code: 'gone' });
});

test('refuses one whose controller wants no pods, or is going itself', async () => {
  expect(await prepare(await podOfReplicaSet(cluster, 'scaled', {}, 0))).toMatchObject({
    is: 'refused',
    code: 'unsupported',
  });
  const pod = await podOfReplicaSet(cluster, 'going');
  const set = cluster.kubernetes
    .objects('ReplicaSet')
    .find((it) => it.metadata.name === 'going-set')!;
  cluster.kubernetes.put({
    ...set,
    metadata: { ...set.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  } as never);
  expect(await prepare(pod)).toMatchObject({ is: 'refused', code: 'unsupported' });
});

test('stores nothing of what the pod was made with: it may hold secrets', async () => {
  const pod = await podOfReplicaSet(cluster, 'secretive', { note: 'secret' });
  const secret = cluster.kubernetes.put({
    ...pod,
    spec: { containers: [{ env: [{ name: 'PASSWORD', value: 'secret' }] }] },
  } as never);
  expect(JSON.stringify(await prepare(secret))).not.toContain('secret"');
});

test('waits while a budget keeps the pod', async () => {
  const pod = await podOfReplicaSet(cluster, 'kept');
  const prepared = await prepare(pod);
  cluster.kubernetes.budget = () => false;
  const { uid, resourceVersion } = pod.metadata;
  expect(prepared).toMatchObject({ effect: { verb: 'evict' } });
  expect(
    await cluster.kubernetes.evict(
      { kind: 'Pod', namespace: 'shop', name: 'kept', uid, resourceVersion },
      signal,
    ),
  ).toMatchObject({ why: 'blocked' });
  cluster.kubernetes.budget = () => true;
});

test('refuses one that a living machine has: its controller recreates no pods', async () => {
  const machine = cluster.kubernetes.put({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'shop' },
    spec: {},
  } as never);
  const pod = await podOfReplicaSet(cluster, 'vm-pod');
  const owned = cluster.kubernetes.put({
    ...pod,
    metadata: {
      ...pod.metadata,
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachineInstance',
          name: 'vm',
          uid: machine.metadata.uid,
          controller: true,
        },
      ],
    },
  } as never);
  expect(await prepare(owned)).toMatchObject({
    code: 'unsupported',
    reason: expect.stringContaining('no controller that would recreate it'),
  });
});

test('waits while its network is not ready, and while a sibling is not', async () => {
  const pod = await podOfReplicaSet(cluster, 'early');
  expect(await prepare(pod)).toMatchObject({ is: 'prepared' });
  const namespace = cluster.kubernetes
    .objects('Namespace')
    .find((it) => it.metadata.name === 'shop')!;
  cluster.kubernetes.put({
    ...namespace,
    metadata: { ...namespace.metadata, annotations: {} },
  } as never);
  expect(await prepare(pod)).toMatchObject({
    code: 'waits',
    reason: expect.stringContaining('bind Namespace shop'),
  });
  cluster.kubernetes.put(namespace as never);
  expect(await prepare(await podOfReplicaSet(cluster, 'lonely', {}, 2))).toMatchObject({
    code: 'waits',
    reason: expect.stringContaining('1 of 2 are there'),
  });
});
