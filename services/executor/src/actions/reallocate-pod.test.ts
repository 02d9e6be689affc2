import { ALLOCATED, COMMENT, podOfReplicaSet, signal } from '../testing/action-cases';
import { memoryActionCluster } from '../testing/action-cluster';
import { applyEffect } from '../work/apply-effect';
import { describeKubernetesAction } from './kubernetes-action.contract';
import reallocatePod from './reallocate-pod';
import { actionCase } from './testing/reallocate-pod';

let cluster: Awaited<ReturnType<typeof memoryActionCluster>>;
beforeAll(async () => {
  cluster = await memoryActionCluster();
});
describeKubernetesAction(() => cluster, reallocatePod, actionCase);

const prepare = async (key: string, column = 'metadata.annotations') => {
  const {
    metadata: { name, uid },
  } = await podOfReplicaSet(cluster, 'pod', {
    [ALLOCATED]: 'true',
    'ovn.kubernetes.io/ip_address': '10.16.0.9',
    '.kubernetes.io/allocated': 'true',
  });
  return reallocatePod.prepare(
    { source: 'kubernetes', kind: 'Pod', namespace: 'shop', name, uid, part: { column, key } },
    COMMENT,
    cluster,
    signal,
  );
};

test("only with a person's word", () => expect(reallocatePod.onlyApproved).toBe(true));

test('takes the one mark and leaves every other annotation', async () => {
  const prepared = await prepare(ALLOCATED);
  if (prepared.is !== 'prepared') throw new Error(prepared.reason);
  await applyEffect(prepared.effect, cluster, signal);
  expect(
    (await cluster.kubernetes.get('Pod', 'shop', 'pod', signal))?.metadata['annotations'],
  ).toEqual({ 'ovn.kubernetes.io/ip_address': '10.16.0.9', '.kubernetes.io/allocated': 'true' });
});

test.each([['ovn.kubernetes.io/ip_address'], ['.kubernetes.io/allocated'], ['__proto__'], ['']])(
  'takes no other annotation: %s',
  async (key) => {
    expect(await prepare(key)).toMatchObject({ is: 'refused', code: 'unsupported' });
  },
);

test('takes nothing but annotations', async () => {
  expect(await prepare(ALLOCATED, 'metadata.labels')).toMatchObject({
    is: 'refused',
    code: 'unsupported',
  });
});

test('is gone when somebody took the mark', async () => {
  expect(await prepare('other.kubernetes.io/allocated')).toMatchObject({
    is: 'refused',
    code: 'gone',
  });
});

test('is gone when the pod is being deleted', async () => {
  const pod = await podOfReplicaSet(cluster, 'ending', { [ALLOCATED]: 'true' });
  const {
    metadata: { name, uid },
  } = cluster.kubernetes.put({
    ...pod,
    metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  } as never);
  expect(
    await reallocatePod.prepare(
      {
        source: 'kubernetes',
        kind: 'Pod',
        namespace: 'shop',
        name,
        uid,
        part: { column: 'metadata.annotations', key: ALLOCATED },
      },
      COMMENT,
      cluster,
      signal,
    ),
  ).toMatchObject({ is: 'refused', code: 'gone' });
});

test('is bound to the value that is to go', async () => {
  const path = `/metadata/annotations/${ALLOCATED.replaceAll('/', '~1')}`;
  expect(await prepare(ALLOCATED)).toMatchObject({
    effect: {
      patch: [
        { op: 'test', path, value: 'true' },
        { op: 'remove', path },
      ],
    },
  });
});

test('puts back nothing but such a mark', () => {
  const target = { source: 'kubernetes', kind: 'Pod', namespace: 'shop', name: 'pod', uid: 'u' };
  const undo = { of: 'field', kind: 'Pod', namespace: 'shop', name: 'pod', uid: 'u' };
  const restored = (key: string | undefined, path: string) =>
    reallocatePod.restores(
      {
        ...target,
        source: 'kubernetes',
        ...(key !== undefined && { part: { column: 'metadata.annotations', key } }),
      },
      { ...undo, of: 'field', path, value: 'true' },
    );
  const pathOf = (key: string): string => `/metadata/annotations/${key.replaceAll('/', '~1')}`;
  expect(restored(ALLOCATED, pathOf(ALLOCATED))).toBeUndefined();
  for (const key of ['ovn.kubernetes.io/ip_address', '.kubernetes.io/allocated', undefined])
    expect(restored(key, pathOf(key ?? 'undefined'))).toMatch(/no mark of an allocation/);
});
