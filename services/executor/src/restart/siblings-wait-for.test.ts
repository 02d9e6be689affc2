import {
  type MemoryKubernetes,
  memoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { siblingsWaitFor } from './siblings-wait-for';

const signal = new AbortController().signal;
let cluster: MemoryKubernetes;
beforeEach(() => {
  cluster = memoryKubernetes();
});

const owner = (spec: object = { replicas: 3 }, status: object = {}, kind = 'ReplicaSet') =>
  cluster.put({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web', namespace: 'shop' },
    spec,
    status,
  } as GivenObject);
const annotations = (subnet: string | undefined) =>
  subnet === undefined
    ? {}
    : { 'ovn.kubernetes.io/allocated': 'true', 'ovn.kubernetes.io/logical_switch': subnet };
const pod = (
  name: string,
  of: { metadata: { name: string; uid: string } },
  subnet: string | undefined,
  {
    ready = true,
    phase = 'Running',
    metadata = {},
  }: { ready?: boolean; phase?: string; metadata?: object } = {},
) =>
  cluster.put({
    apiVersion: 'v1',
    kind: 'Pod',
    status: { phase, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
    metadata: {
      name,
      namespace: 'shop',
      annotations: annotations(subnet),
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: of.metadata.name,
          uid: of.metadata.uid,
          controller: true,
        },
      ],
      ...metadata,
    },
  });
const waits = (target: ReturnType<typeof pod>, of: ReturnType<typeof owner>) =>
  siblingsWaitFor(target, of, new Set(['apps']), cluster, signal);

test('nothing, while all are there: those in their place ready, the others as they are', async () => {
  const of = owner();
  const target = pod('a', of, 'ovn-default', { ready: false });
  pod('b', of, 'apps');
  pod('c', of, 'ovn-default', { ready: false });
  expect(await waits(target, of)).toBeUndefined();
});

test.each<[string, (of: ReturnType<typeof owner>) => void, RegExp]>([
  ['a replacement is not made yet', () => undefined, /2 of 3 are there/],
  [
    'one is ending',
    (of) => {
      pod('c', of, 'ovn-default', {
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x.example.com/y'] },
      });
    },
    /Pod c of the same controller to end/,
  ],
  [
    'the replacement has no address',
    (of) => {
      pod('c', of, undefined);
    },
    /Pod c of the same controller to get its address/,
  ],
  [
    'the replacement is not Ready',
    (of) => {
      pod('c', of, 'apps', { ready: false });
    },
    /Pod c of the same controller to be Ready/,
  ],
  [
    'one that is there has ended',
    (of) => {
      pod('c', of, 'apps', { phase: 'Succeeded' });
    },
    /2 of 3 are there/,
  ],
  [
    "one that is there is another controller's",
    () => {
      pod('c', { metadata: { name: 'web', uid: 'of-another-life' } }, 'apps');
    },
    /2 of 3 are there/,
  ],
])('waits while %s', async (_, arrange, why) => {
  const of = owner();
  const target = pod('a', of, 'ovn-default');
  pod('b', of, 'apps');
  arrange(of);
  expect(await waits(target, of)).toMatch(why);
});

test('a DaemonSet says in its status how many it wants, and one that says nothing wants one', async () => {
  const daemons = owner({}, { desiredNumberScheduled: 2 }, 'DaemonSet');
  expect(await waits(pod('a', daemons, 'ovn-default'), daemons)).toMatch(/1 of 2/);
  const silent = owner({}, {});
  expect(await waits(pod('z', silent, 'ovn-default'), silent)).toBeUndefined();
});

test('the one that is to go is waited for by nobody, whatever it lacks', async () => {
  const of = owner({ replicas: 1 });
  const ending = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x.example.com/y'] };
  expect(await waits(pod('a', of, undefined, { metadata: ending }), of)).toBeUndefined();
});

test('an address is had when it is allocated, not when a subnet is named', async () => {
  const of = owner({ replicas: 2 });
  const named = { ...annotations('apps'), 'ovn.kubernetes.io/allocated': 'false' };
  pod('b', of, 'apps', { metadata: { annotations: named } });
  expect(await waits(pod('a', of, 'ovn-default'), of)).toMatch(/Pod b .* to get its address/);
});

test('only its condition Ready makes a pod ready', async () => {
  const of = owner({ replicas: 2 });
  const conditions = [
    { type: 'Initialized', status: 'True' },
    { type: 'Ready', status: 'False' },
  ];
  cluster.put({
    ...pod('b', of, 'apps'),
    kind: 'Pod',
    status: { phase: 'Running', conditions },
  } as GivenObject);
  expect(await waits(pod('a', of, 'ovn-default'), of)).toMatch(/Pod b .* to be Ready/);
});

test('whose controller another is does not stand in for one of this', async () => {
  const of = owner({ replicas: 2 });
  const [reference] = pod('b', of, 'apps').metadata['ownerReferences'] as object[];
  pod('b', of, 'apps', { metadata: { ownerReferences: [{ ...reference, controller: false }] } });
  expect(await waits(pod('a', of, 'ovn-default'), of)).toMatch(/1 of 2/);
});

test('a controller that says nothing wants one that has not ended', async () => {
  const silent = owner({}, {});
  expect(await waits(pod('z', silent, 'apps', { phase: 'Failed' }), silent)).toMatch(/0 of 1/);
});
