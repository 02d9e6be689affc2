import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { hanging, kubeOvnObject, COMMENT, signal } from '../testing/action-cases';
import { memoryActionCluster } from '../testing/action-cluster';
import { applyEffect } from '../work/apply-effect';
import { undoField } from './undo-field';

let cluster: Awaited<ReturnType<typeof memoryActionCluster>>;
let uid = '';
const put = (metadata: Readonly<Record<string, unknown>>) => {
  ({ uid } = cluster.kubernetes.put({
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'shop', ...metadata },
  }).metadata);
};
beforeEach(async () => {
  cluster = await memoryActionCluster();
});

const KEY = 'ovn.kubernetes.io/allocated';
const record = (more: Partial<Undo & { of: 'field' }> = {}): Undo & { of: 'field' } => ({
  of: 'field',
  kind: 'Pod',
  namespace: 'shop',
  name: 'p',
  uid,
  path: '/metadata/annotations/ovn.kubernetes.io~1allocated',
  value: 'true',
  ...more,
});
const undo = (it = record()) => undoField(it, COMMENT, cluster, signal);
const annotations = () => cluster.kubernetes.objects('Pod')[0]!.metadata['annotations'];

test.each([
  [{ annotations: { other: 'x' } }, { other: 'x', [KEY]: 'true' }],
  [{ annotations: {} }, { [KEY]: 'true' }],
  [{}, { [KEY]: 'true' }],
])('an annotation comes back, the others stay: %j', async (before, after) => {
  put(before);
  const plan = await undo();
  if (plan.is !== 'ready') throw new Error(JSON.stringify(plan));
  expect(await applyEffect(plan.effect, cluster, signal)).toEqual({ is: 'applied' });
  expect(annotations()).toEqual(after);
  expect(await undo()).toMatchObject({ is: 'back' });
});

test('is back when its controller set it again, and impossible when it set another', async () => {
  put({ annotations: { [KEY]: 'true' } });
  expect(await undo()).toMatchObject({ is: 'back' });
  put({ annotations: { [KEY]: 'false' } });
  expect(await undo()).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('"false" now'),
  });
});

test('is impossible when the object is gone, replaced by a namesake, or going', async () => {
  put({});
  const before = record();
  cluster.kubernetes.remove('Pod', 'shop', 'p');
  expect(await undo(before)).toMatchObject({ is: 'impossible' });
  put({});
  expect(await undo(before)).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('another of that name'),
  });
  put({ deletionTimestamp: '2026-01-01T00:00:00Z' });
  expect(await undo()).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('being deleted'),
  });
});

test('a finalizer comes back to an object that is not going', async () => {
  for (const finalizers of [undefined, [], ['other']]) {
    put({ finalizers });
    const plan = await undo(record({ path: '/metadata/finalizers/-', value: 'mine' }));
    if (plan.is !== 'ready') throw new Error(JSON.stringify(plan));
    await applyEffect(plan.effect, cluster, signal);
    expect(cluster.kubernetes.objects('Pod')[0]!.metadata.finalizers).toEqual([
      ...(finalizers ?? []),
      'mine',
    ]);
    expect(await undo(record({ path: '/metadata/finalizers/-', value: 'mine' }))).toMatchObject({
      is: 'back',
    });
  }
});

test('and to none that goes', async () => {
  const ip = await hanging(cluster, kubeOvnObject('IP', 'x', {}));
  const taken: Undo & { of: 'field' } = {
    of: 'field',
    kind: 'IP',
    name: 'x',
    uid: ip.metadata.uid,
    path: '/metadata/finalizers/-',
    value: 'kube-ovn-controller',
  };
  expect(await undo(taken)).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('takes no finalizers any more'),
  });
});

test.each([
  '/spec/nodeName',
  '/metadata/labels/x',
  '/metadata/finalizers/0',
  '',
  '/metadata/annotations',
])('puts nothing back at %j', async (path) => {
  put({});
  expect(await undo(record({ path }))).toMatchObject({ is: 'impossible' });
});

test('a hostile key is a key', async () => {
  put({ annotations: {} });
  const plan = await undo(record({ path: '/metadata/annotations/__proto__' }));
  if (plan.is !== 'ready') throw new Error(JSON.stringify(plan));
  await applyEffect(plan.effect, cluster, signal);
  expect(Object.keys(annotations() as object)).toEqual(['__proto__']);
});

test('does nothing to an object that has moved since', async () => {
  put({});
  const plan = await undo();
  put({ labels: { a: 'b' } });
  expect(plan.is === 'ready' && (await applyEffect(plan.effect, cluster, signal))).toMatchObject({
    is: 'refused',
    code: 'changed',
  });
});
