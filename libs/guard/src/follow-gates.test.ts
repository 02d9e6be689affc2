import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@ovn-steward/shared/errors';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { followGates } from './follow-gates';
import { GATE, SUBNET_LABEL } from '@ovn-steward/shared/pod-gate';
import { type GateEvent, PodGates } from './pod-gates';

const HOUR = 3_600_000;

/** A pod held in a cluster in which nothing is ready, and the loop that will lift its gate. */
function following(everyMs: number) {
  const cluster = memoryKubernetes();
  const stop = new AbortController();
  const events: GateEvent[] = [];
  const onEvent = (it: GateEvent): unknown => events.push(it);
  cluster.put({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', labels: { [SUBNET_LABEL]: 's' } },
  });
  cluster.put({ apiVersion: 'kubeovn.io/v1', kind: 'Vpc', metadata: { name: 'v' } });
  cluster.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-0', namespace: 'shop' },
    spec: { schedulingGates: [{ name: GATE }] },
  });
  const gates = (): unknown =>
    (cluster.objects('Pod')[0]!['spec'] as { schedulingGates: unknown }).schedulingGates;
  return {
    cluster,
    events,
    gates,
    run: () =>
      followGates(
        {
          kubernetes: cluster,
          gates: new PodGates({ kubernetes: cluster, timeoutMs: undefined, now: () => 0, onEvent }),
          everyMs,
          onEvent,
        },
        stop.signal,
      ),
    stop: () => stop.abort(),
    becomeReady() {
      cluster.put({
        apiVersion: 'kubeovn.io/v1',
        kind: 'Subnet',
        metadata: { name: 's' },
        spec: { vpc: 'v' },
        status: {
          conditions: [
            { type: 'Validated', status: 'True' },
            { type: 'Ready', status: 'True' },
          ],
        },
      });
      cluster.put({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name: 'shop',
          labels: { [SUBNET_LABEL]: 's' },
          annotations: { 'ovn.kubernetes.io/logical_switch': 's' },
        },
      });
    },
    heldFirst: () =>
      waitFor(async () => events.some((it) => it.type === 'pod-gate' && it.did === 'held'), {
        what: 'the pod to be held',
        timeoutMs: 10_000,
      }),
    lifted: () =>
      waitFor(async () => JSON.stringify(gates()) === '[]', {
        what: 'the gate to be lifted',
        timeoutMs: 10_000,
      }),
  };
}

test('lifts a gate as soon as the last thing is there, long before the next regular round', async () => {
  const followed = following(HOUR);
  const running = followed.run();
  await followed.heldFirst();
  followed.becomeReady();
  await followed.lifted();
  followed.stop();
  await running;
});

test('without the right to watch it lists every so often, and says so once of each kind', async () => {
  const followed = following(50);
  for (const kind of ['Pod', 'Namespace', 'Subnet', 'Vpc'])
    followed.cluster.forbidden.add(`follow ${kind}`);
  const running = followed.run();
  await followed.heldFirst();
  followed.becomeReady();
  await followed.lifted();
  const failures = followed.events.flatMap((event) =>
    event.type === 'guard-failed' ? [event.error.split(' ').slice(0, 4).join(' ')] : [],
  );
  expect(failures.sort()).toEqual(
    ['Namespace', 'Pod', 'Subnet', 'Vpc'].map((kind) => `${kind} is not watched,`),
  );
  followed.stop();
  await running;
});

test('pods that cannot be listed for a while are trouble, and no end', async () => {
  const followed = following(50);
  let failures = 2;
  followed.cluster.fault = ({ verb, kind }) =>
    verb === 'list' && kind === 'Pod' && failures-- > 0
      ? new Failure('source-unreachable', 'Nobody answers.')
      : undefined;
  followed.becomeReady();
  const running = followed.run();
  await followed.lifted();
  expect(followed.events[0]).toEqual({ type: 'guard-failed', error: 'Nobody answers.' });
  followed.stop();
  await running;
});

test('when it ends, no pod is said to be held any more', async () => {
  const followed = following(50);
  const running = followed.run();
  await followed.heldFirst();
  await waitFor(async () => followed.events.some((event) => event.type === 'pods-held'), {
    what: 'the held pods to be counted',
    timeoutMs: 10_000,
  });
  followed.stop();
  await running;
  expect(
    followed.events.findLast((event) => event.type === 'pods-held' && event.held.length > 0),
  ).toBeDefined();
  expect(followed.events.at(-1)).toEqual({ type: 'pods-held', held: [] });
});

test('what trying again cannot help ends it', async () => {
  const followed = following(50);
  followed.cluster.fault = ({ verb }) =>
    verb === 'list' ? new Failure('config-invalid', 'No.') : undefined;
  await expect(followed.run()).rejects.toMatchObject({ code: 'config-invalid' });
});

test('where every stream is cut at once, each kind is followed again a second later', async () => {
  const { cluster } = following(HOUR);
  const stop = new AbortController();
  const followed = new Map<string, number>();
  const cut = async function* (kind: string) {
    followed.set(kind, (followed.get(kind) ?? 0) + 1);
    await sleep(1);
    yield [{ is: 'all' as const, objects: [] }];
  };
  const onEvent = (): undefined => undefined;
  const running = followGates(
    {
      kubernetes: { follow: cut },
      gates: new PodGates({ kubernetes: cluster, timeoutMs: undefined, now: () => 0, onEvent }),
      everyMs: HOUR,
      onEvent,
    },
    stop.signal,
  );
  try {
    await sleep(500);
    expect([...followed.values()]).toEqual([1, 1, 1, 1]);
    await waitFor(async () => [...followed.values()].every((it) => it === 2), {
      what: 'each kind to be followed again',
      timeoutMs: 5000,
    });
  } finally {
    stop.abort();
    await running;
  }
});
