import { guardedSystems } from '@ovn-steward/systems/guarded-systems';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { recordedSystems } from '../testing/recorded-systems';
import { type GuardRefused, pairGate } from './pair-gate';

const never = new AbortController().signal;
const MAC = 'ovn.kubernetes.io/mac_address';

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let reported: GuardRefused[];
beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  reported = [];
  // Each answer is old when it is asked for again.
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 60_000));
});
afterEach(() => jest.restoreAllMocks());

const gate = (): ((signal: AbortSignal) => Promise<void>) =>
  pairGate({ northbound, kubernetes }, (it) => reported.push(it));
const nodes = (change: (annotations: Record<string, string>) => void): void => {
  for (const object of kubernetes.objects('Node')) {
    const annotations = { ...(object.metadata['annotations'] as Record<string, string>) };
    change(annotations);
    kubernetes.put({ ...object, kind: 'Node', metadata: { ...object.metadata, annotations } });
  }
};

test('of one cluster: it is written to', async () => {
  await expect(gate()(never)).resolves.toBeUndefined();
  expect(reported).toEqual([]);
});

test('with the nodes of another cluster nothing is written, and each refusal is reported with why', async () => {
  nodes((it) => (it[MAC] = '0a:00:00:00:00:99'));
  const { kubernetes: guarded } = guardedSystems({ northbound, kubernetes }, gate());
  const vpc = kubernetes.objects('Vpc')[0]!;
  const { name, uid, resourceVersion } = vpc.metadata;
  const writes = [
    guarded.patch(
      { kind: 'Vpc', name, uid, resourceVersion },
      [{ op: 'add', path: '/metadata/finalizers', value: ['x'] }],
      never,
    ),
    guarded.create('Vpc', { metadata: { name: 'planted' } } as never, never),
  ];
  for (const write of writes)
    await expect(write).rejects.toMatchObject({
      code: 'other-cluster',
      message: expect.stringMatching(
        /^Nothing is written to this Kubernetes, since .*MAC addresses of the pods and nodes here are not those.* Check the address of the Northbound/,
      ),
    });
  expect(reported.map(({ type, what }) => `${type} ${what}`)).toEqual(
    Array(2).fill('other-cluster guard'),
  );
  expect(kubernetes.objects('Vpc').map(({ metadata }) => metadata)).not.toContainEqual(
    expect.objectContaining({ finalizers: ['x'] }),
  );
});

test('where nothing shows that both are one cluster nothing is written', async () => {
  for (const it of kubernetes.objects('Node'))
    kubernetes.remove('Node', undefined, it.metadata.name);
  for (const it of kubernetes.objects('Pod'))
    kubernetes.remove('Pod', it.metadata.namespace, it.metadata.name);
  await expect(gate()(never)).rejects.toMatchObject({ code: 'other-cluster' });
});

test('a pair that becomes one is written to at the next write', async () => {
  const before = kubernetes.objects('Node').map((it) => ({ ...it, kind: 'Node' }));
  nodes((it) => (it[MAC] = '0a:00:00:00:00:99'));
  const check = gate();
  await expect(check(never)).rejects.toMatchObject({ code: 'other-cluster' });
  for (const it of before) kubernetes.put(it);
  await expect(check(never)).resolves.toBeUndefined();
});

test('once shown, it belongs to that pair alone, whoever else answers later', async () => {
  let uid: string | undefined;
  const check = pairGate(
    {
      northbound,
      kubernetes: Object.assign(Object.create(kubernetes) as MemoryKubernetes, {
        identity: async (signal: AbortSignal) => uid ?? (await kubernetes.identity(signal)),
      }),
    },
    (it) => reported.push(it),
  );
  await check(never);
  uid = 'another';
  await expect(check(never)).rejects.toMatchObject({
    code: 'other-cluster',
    message: expect.stringMatching(/^The guard was started for .*another.*: nothing is written/),
  });
  uid = undefined;
  await expect(check(never)).resolves.toBeUndefined();
  expect(reported).toHaveLength(1);
});

test('where it ends meanwhile nothing is refused, and nothing is written', async () => {
  const reason = new Error('ended');
  await expect(gate()(AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(reported).toEqual([]);
});
