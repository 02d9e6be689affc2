import { Failure } from '@ovn-steward/shared/errors';
import deleteIp from '../actions/delete-ip';
import { hanging, COMMENT, podOfReplicaSet, signal } from '../testing/action-cases';
import { addressHolder } from '../testing/address-holder';
import { memoryActionCluster } from '../testing/action-cluster';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';

let cluster: Awaited<ReturnType<typeof memoryActionCluster>>;
beforeEach(async () => {
  cluster = await memoryActionCluster();
});

const prepare = ({ metadata: { name, uid } }: KubernetesObject) =>
  deleteIp.prepare({ source: 'kubernetes', kind: 'IP', name, uid }, COMMENT, cluster, signal);
const ownedBy = (...ownerReferences: object[]): KubernetesObject => {
  const given = addressHolder('IP', 'owned');
  return cluster.kubernetes.put({ ...given, metadata: { ...given.metadata, ownerReferences } });
};
const owner = (kind: string, name: string, uid: string, apiVersion = 'v1') => ({
  apiVersion,
  kind,
  name,
  uid,
});

test('an object that is being deleted already waits for its finalizers', async () => {
  expect(await prepare(await hanging(cluster, addressHolder('IP', 'going')))).toMatchObject({
    is: 'refused',
    code: 'gone',
    reason: expect.stringMatching(/waits for its finalizers: kubeovn.io\/kube-ovn-controller/),
  });
});

test('an object whose owner lives is kept', async () => {
  const { uid } = cluster.kubernetes.put({ kind: 'Node', metadata: { name: 'worker' } }).metadata;
  expect(await prepare(ownedBy(owner('Node', 'worker', uid)))).toMatchObject({
    is: 'refused',
    code: 'protected',
    reason: expect.stringContaining('Node worker'),
  });
});

test.each([
  ['querier of its own Subnet, which is being deleted', 'mcast-querier.apps', true, 'prepared'],
  ['querier of its own Subnet, which stays', 'mcast-querier.apps', false, 'refused'],
  ['querier of another Subnet', 'mcast-querier.other', true, 'refused'],
  ['interconnection of a Subnet', 'u2o-interconnection.v.apps', true, 'refused'],
])('the address of the %s: %4$s', async (_which, name, going, is) => {
  const subnet = cluster.kubernetes.put({
    kind: 'Subnet',
    metadata: {
      name: 'apps',
      ...(going && {
        deletionTimestamp: '2026-01-01T00:00:00Z',
        finalizers: ['kubeovn.io/kube-ovn-controller'],
      }),
    },
  });
  const given = addressHolder('IP', name);
  const ownerReferences = [owner('Subnet', 'apps', subnet.metadata.uid, 'kubeovn.io/v1')];
  const object = cluster.kubernetes.put({
    ...given,
    metadata: { ...given.metadata, ownerReferences },
  });
  expect(await prepare(object)).toMatchObject({ is });
});

test('an owner with a namespace is looked for in the one the object names', async () => {
  const {
    metadata: { uid },
  } = await podOfReplicaSet(cluster, 'web');
  expect(await prepare(ownedBy(owner('Pod', 'web', uid)))).toMatchObject({
    is: 'refused',
    code: 'protected',
  });
});

test('owners that are gone, replaced by a namesake, or of a kind that is not installed, keep nothing', async () => {
  cluster.kubernetes.put({ kind: 'Node', metadata: { name: 'worker' } });
  cluster.kubernetes.notInstalled.add('VirtualMachineInstance');
  const object = ownedBy(
    owner('Node', 'worker', 'before'),
    owner('Node', 'gone', 'x'),
    owner('VirtualMachineInstance', 'vm', 'x', 'kubevirt.io/v1'),
  );
  expect(await prepare(object)).toMatchObject({ is: 'prepared' });
});

test.each([
  ['of a kind nobody here reads', owner('Gadget', 'g', 'x', 'example.com/v1')],
  ['of a namesake of a kind', owner('Node', 'worker', 'x', 'example.com/v1')],
  ['that does not say of which API', { kind: 'Node', name: 'worker', uid: 'x' }],
  ['that cannot be read', { name: 7 }],
  ['that is nothing', null],
])('an owner %s keeps the object: it may live', async (_name, reference) => {
  expect(await prepare(ownedBy(reference as object))).toMatchObject({
    is: 'refused',
    code: 'unknown',
  });
});

test('an owner that lives keeps the object though it is in no list', async () => {
  const { uid } = cluster.kubernetes.put({ kind: 'Node', metadata: { name: 'worker' } }).metadata;
  const given = addressHolder('IP', 'owned');
  const object = cluster.kubernetes.put({
    ...given,
    metadata: { ...given.metadata, ownerReferences: owner('Node', 'worker', uid) as never },
  });
  expect(await prepare(object)).toMatchObject({ is: 'refused', code: 'protected' });
});

test('is not done to a part, another kind, another of its name, or what a person keeps', async () => {
  const { uid } = cluster.kubernetes.put(addressHolder('IP', 'web')).metadata;
  const kept = addressHolder('IP', 'kept');
  const { uid: keptUid } = cluster.kubernetes.put({
    ...kept,
    metadata: { ...kept.metadata, annotations: { 'ovn-steward.dev/protect': '' } },
  }).metadata;
  const vip = cluster.kubernetes.put(addressHolder('Vip', 'web')).metadata;
  const request = async (target: object) => {
    const said = await deleteIp.prepare(
      { source: 'kubernetes', kind: 'IP', name: 'web', uid, ...target },
      COMMENT,
      cluster,
      signal,
    );
    return said.is === 'refused' ? said.code : said.is;
  };
  expect([
    await request({}),
    await request({ part: { column: 'metadata.finalizers', key: 'x' } }),
    await request({ kind: 'Vip', uid: vip.uid }),
    await request({ source: 'ovn-nb' }),
    await request({ uid: 'before' }),
    await request({ name: 'none' }),
    await request({ name: 'kept', uid: keptUid }),
  ]).toEqual([
    'prepared',
    'unsupported',
    'unsupported',
    'unsupported',
    'gone',
    'gone',
    'protected',
  ]);
});

test('an owner that cannot be read is a failure', async () => {
  const object = ownedBy(owner('Node', 'worker', 'x'));
  cluster.kubernetes.fault = ({ kind }) =>
    kind === 'Node' ? new Failure('source-forbidden', 'no') : undefined;
  await expect(prepare(object)).rejects.toMatchObject({ code: 'source-forbidden' });
});

test('what undoes it is the object without what the server writes', async () => {
  const given = addressHolder('IP', 'kept');
  const prepared = await prepare(
    cluster.kubernetes.put({
      ...given,
      status: { a: 1 },
      metadata: {
        ...given.metadata,
        generation: 3,
        managedFields: [],
        annotations: { comment: 'x' },
      },
    }),
  );
  expect(prepared).toMatchObject({
    undo: {
      of: 'object',
      kind: 'IP',
      manifest: { apiVersion: 'kubeovn.io/v1', kind: 'IP', spec: given['spec'] },
    },
  });
  expect(
    prepared.is === 'prepared' &&
      prepared.undo.of === 'object' &&
      prepared.undo.manifest['metadata'],
  ).toEqual({ ...given.metadata, annotations: { comment: 'x' } });
  expect(
    prepared.is === 'prepared' && prepared.undo.of === 'object' && prepared.undo.manifest['status'],
  ).toBeUndefined();
});
