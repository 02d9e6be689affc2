import { Failure } from '@ovn-steward/shared/errors';
import {
  type MemoryKubernetes,
  memoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import { GATE, SUBNET_LABEL } from '@ovn-steward/shared/pod-gate';
import { type GateEvent, liftAllGates, PodGates } from './pod-gates';

const signal = new AbortController().signal;
const LIST = 'ovn.kubernetes.io/logical_switch';

let cluster: MemoryKubernetes;
let time = 0;
let events: GateEvent[] = [];
beforeEach(() => {
  cluster = memoryKubernetes();
  time = 0;
  events = [];
});

const gatesOf = (timeoutMs?: number) =>
  new PodGates({
    kubernetes: cluster,
    timeoutMs,
    now: () => time,
    onEvent: (it) => events.push(it),
  });
const namespace = (bound?: string, labels: object = { [SUBNET_LABEL]: 's' }) =>
  cluster.put({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', labels, annotations: bound === undefined ? {} : { [LIST]: bound } },
  });
const subnet = (ready = 'True', spec: object = { vpc: 'v' }) =>
  cluster.put({
    apiVersion: 'kubeovn.io/v1',
    kind: 'Subnet',
    metadata: { name: 's' },
    spec,
    status: {
      conditions: [
        { type: 'Validated', status: 'True' },
        { type: 'Ready', status: ready },
      ],
    },
  });
const vpc = () =>
  cluster.put({ apiVersion: 'kubeovn.io/v1', kind: 'Vpc', metadata: { name: 'v' } });
const pod = (
  name = 'web-0',
  gates: readonly string[] = [GATE],
  metadata: object = {},
  spec: object = {},
) =>
  cluster.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', ...metadata },
    spec: { schedulingGates: gates.map((it) => ({ name: it })), ...spec },
  });
const gates = (name = 'web-0') =>
  (
    cluster.objects('Pod').find((it) => it.metadata.name === name)?.['spec'] as {
      schedulingGates: { name: string }[];
    }
  ).schedulingGates.map((it) => it.name);
const reasons = () => cluster.events.map((it) => [it.regarding.name, it.type, it.reason]);
const allReady = () => [namespace('s'), subnet(), vpc()];

test('lifts the gate of a pod whose subnet is ready and bound, and says so on the pod', async () => {
  allReady();
  pod();
  expect(await gatesOf().round(signal)).toEqual([]);
  expect([gates(), events, reasons()]).toEqual([
    [],
    [expect.objectContaining({ type: 'pod-gate', did: 'lifted' })],
    [['web-0', 'Normal', 'SubnetReady']],
  ]);
});

test('says where no Event could be written, and lifts all the same', async () => {
  allReady();
  pod();
  cluster.forbidden.add('writeEvent Event');
  expect(await gatesOf().round(signal)).toEqual([]);
  expect([gates(), events]).toEqual([
    [],
    [
      expect.objectContaining({ type: 'pod-gate', did: 'lifted' }),
      { type: 'guard-failed', error: expect.stringContaining('the right to create events') },
    ],
  ]);
});

test('leaves the gates of others, before and after ours', async () => {
  allReady();
  pod('web-0', ['first.example.com/wait', GATE, 'last.example.com/wait']);
  pod('other', ['first.example.com/wait']);
  expect(await gatesOf().round(signal)).toEqual([]);
  expect([gates(), gates('other')]).toEqual([
    ['first.example.com/wait', 'last.example.com/wait'],
    ['first.example.com/wait'],
  ]);
});

test.each<[string, () => void, RegExp]>([
  [
    'whose namespace is bound to the default subnet',
    () => {
      namespace('ovn-default');
      subnet();
      vpc();
    },
    /bind Namespace shop to Subnet s: it is bound to ovn-default/,
  ],
  [
    'whose subnet is not ready',
    () => {
      namespace('s');
      subnet('False');
      vpc();
    },
    /condition Ready/,
  ],
  [
    'whose subnet is not there',
    () => {
      namespace('s');
      vpc();
    },
    /Subnet s to be made/,
  ],
  [
    'whose Vpc is not there',
    () => {
      namespace('s');
      subnet();
    },
    /Vpc v, which/,
  ],
  [
    'for which nobody named a subnet',
    () => {
      namespace('s', {});
      subnet();
      vpc();
    },
    /a label ovn-steward\.dev\/subnet on Pod or Namespace shop/,
  ],
  [
    'whose subnet may not be read',
    () => {
      allReady();
      cluster.forbidden.add('get Subnet');
    },
    /what could not be read/,
  ],
  [
    'whose namespace does not answer',
    () => {
      allReady();
      cluster.fault = ({ verb, kind }) =>
        verb === 'get' && kind === 'Namespace'
          ? new Failure('source-unreachable', 'gone')
          : undefined;
    },
    /could not be read/,
  ],
])('a pod %s stays held, and says why once', async (_, arrange, why) => {
  arrange();
  pod();
  const opened = gatesOf();
  for (time of [0, 1000, 86_400_000])
    expect(await opened.round(signal)).toMatchObject([{ name: 'web-0', heldMs: time }]);
  expect(gates()).toEqual([GATE]);
  expect(events).toEqual([
    expect.objectContaining({ did: 'held', reason: expect.stringMatching(why) }),
  ]);
  expect(reasons()).toEqual([['web-0', 'Normal', 'WaitingForSubnet']]);
});

test('a pod may name its subnet by a label of its own, or choose it itself', async () => {
  namespace('ovn-default', {});
  subnet();
  vpc();
  pod('labelled', [GATE], { labels: { [SUBNET_LABEL]: 's' } });
  pod('choosing', [GATE], { labels: { [SUBNET_LABEL]: 's' }, annotations: { [LIST]: 's' } });
  await gatesOf().round(signal);
  expect([gates('labelled'), gates('choosing')]).toEqual([[GATE], []]); // only the first needs its namespace bound
});

test('what was read for one pod is not taken for what another one waits for', async () => {
  allReady();
  for (const [name, chosen] of [
    ['ready', 's'],
    ['waiting', 'missing'],
  ] as const)
    pod(name, [GATE], { labels: { [SUBNET_LABEL]: chosen }, annotations: { [LIST]: chosen } });
  expect(await gatesOf().round(signal)).toMatchObject([{ name: 'waiting' }]);
  expect([gates('ready'), gates('waiting')]).toEqual([[], [GATE]]);
});

test('a bug is no reason to hold a pod: it ends the round', async () => {
  allReady();
  pod();
  const bug = new TypeError('a bug');
  cluster.get = () => Promise.reject(bug);
  await expect(gatesOf().round(signal)).rejects.toBe(bug);
});

test('a pod that was given an address of another subnet before anybody could hold it stays held, and says what to do', async () => {
  allReady();
  pod('web-0', [GATE], {
    annotations: { [LIST]: 'ovn-default', 'ovn.kubernetes.io/allocated': 'true' },
  });
  await gatesOf().round(signal);
  expect([gates(), events]).toEqual([
    [GATE],
    [
      expect.objectContaining({
        did: 'held',
        reason: expect.stringContaining('it was given one of ovn-default. Delete the pod'),
      }),
    ],
  ]);
});

test('a pod on which its namespace’s subnet was written waits until the namespace is bound, too', async () => {
  namespace('ovn-default');
  subnet();
  vpc();
  pod('web-0', [GATE], { annotations: { [LIST]: 's' } });
  await gatesOf().round(signal);
  expect(gates()).toEqual([GATE]);
});

test('after the time a gate is lifted with a warning, counted from when it was first seen', async () => {
  namespace('ovn-default');
  pod('web-0', [GATE], { creationTimestamp: '2001-01-01T00:00:00Z' });
  const opened = gatesOf(60_000);
  await opened.round(signal);
  time = 59_999;
  await opened.round(signal);
  expect(gates()).toEqual([GATE]);
  time = 60_000;
  expect(await opened.round(signal)).toEqual([]);
  expect([gates(), events.at(-1), reasons().at(-1)]).toEqual([
    [],
    expect.objectContaining({
      did: 'timed-out',
      reason: expect.stringContaining('Subnet s to be made'),
    }),
    ['web-0', 'Warning', 'SubnetNotReadyInTime'],
  ]);
});

test('is bound to the pod as it was read: one that changed is read again, and so is one whose patch got lost', async () => {
  allReady();
  pod();
  let faults = 1;
  cluster.between = ({ verb }, moment) => {
    if (verb === 'patch' && moment === 'before' && faults-- > 0)
      pod('web-0', ['their.example.com/gate', GATE]);
  };
  expect(await gatesOf().round(signal)).toMatchObject([{ name: 'web-0' }]);
  expect(gates()).toEqual(['their.example.com/gate', GATE]);
  expect(await gatesOf().round(signal)).toEqual([]);
  expect(gates()).toEqual(['their.example.com/gate']);
});

test('a gate we may not lift is reported, and the others are lifted', async () => {
  allReady();
  pod();
  cluster.forbidden.add('patch Pod');
  expect(await gatesOf().round(signal)).toHaveLength(1);
  expect(events).toEqual([
    expect.objectContaining({
      type: 'guard-failed',
      error: expect.stringContaining('shop/web-0 could not be lifted'),
    }),
  ]);
});

test('pods that are going, or have a node, are none of its business', async () => {
  allReady();
  pod('going', [GATE], {
    deletionTimestamp: '2026-01-01T00:00:00Z',
    finalizers: ['x.example.com/y'],
  });
  pod('placed', [], {}, { nodeName: 'n' });
  expect(await gatesOf().round(signal)).toEqual([]);
  expect(gates('going')).toEqual([GATE]);
});

test('all gates are lifted when nobody will be there to do it, and no other gate', async () => {
  namespace('ovn-default');
  pod('one');
  pod('two', ['x.example.com/y', GATE]);
  pod('other', ['x.example.com/y']);
  expect(await liftAllGates(cluster, signal)).toEqual({ lifted: 2, refused: [] });
  expect([gates('one'), gates('two'), gates('other')]).toEqual([
    [],
    ['x.example.com/y'],
    ['x.example.com/y'],
  ]);
  pod('one');
  cluster.forbidden.add('patch Pod');
  expect(await liftAllGates(cluster, signal)).toEqual({
    lifted: 0,
    refused: [expect.stringContaining('shop/one: we may not patch Pod')],
  });
});

test('a pod that is deleted meanwhile has no gate any more, and one that changed is read again', async () => {
  for (const name of ['gone', 'changed', 'third']) pod(name);
  let faults = 1;
  cluster.between = ({ verb, name }, moment) => {
    if (verb !== 'patch' || moment !== 'before') return;
    if (name === 'gone') cluster.remove('Pod', 'shop', 'gone');
    if (name === 'changed' && faults-- > 0) pod('changed', ['x.example.com/y', GATE]);
  };
  expect(await liftAllGates(cluster, signal)).toEqual({ lifted: 2, refused: [] });
  expect([gates('changed'), gates('third')]).toEqual([['x.example.com/y'], []]);
});
