import type { Control } from '@ovn-steward/contracts/control/control';
import type { Proposal } from '../findings/proposal';
import { OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { decision } from '../testing/controls';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { withLeader } from '../testing/with-leader';
import { recordedSystems } from '../testing/recorded-systems';
import { terminatingChecks } from './terminating';

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let finding: Proposal;
let executor: Scene;
let now: number;

beforeEach(async () => {
  now = Date.parse('2026-05-04T10:00:00Z');
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  finding = (await recordedProposals('leaky')).find(
    (each) =>
      each.rule === 'leaked-ip' &&
      each.proof.some((fact) => fact.fact === 'absent' && fact.kind === 'Pod'),
  )!;
  executor = scene({ northbound, kubernetes }, () => [finding], OPEN_LIMITS, {
    clock: () => new Date(now),
  });
  // Kube-OVN's controller is not at work: the object hangs on its finalizer.
  await executor.turns(1);
});
afterEach(() => executor.close());

const reported = (): string => executor.actions().map(({ state, code }) => `${state} ${code}`)[0]!;
const takeAway = (): void => kubernetes.remove('IP', undefined, finding.subject.name);
const isThere = (): boolean =>
  kubernetes.objects('IP').some(({ metadata }) => metadata.name === finding.subject.name);
const putPod = (): void => {
  const pod = finding.proof.find((fact) => fact.fact === 'absent' && fact.kind === 'Pod')!;
  if (pod.fact !== 'absent') throw new Error('no pod');
  const [namespace, name] = pod.key.split('/') as [string, string];
  kubernetes.put({ kind: 'Pod', metadata: { namespace, name } });
};

test('what hangs on its finalizer is not reported as done, and counts against the ceilings', async () => {
  await executor.turns(1);
  expect([reported(), isThere()]).toEqual(['terminating terminating', true]);
  expect(executor.actions()[0]).toMatchObject({ endedAt: null, claimedAt: expect.any(String) });
  expect(executor.ledger.spent(RECORDED_CLUSTER, now - 1000).all).toBe(1);
  expect(
    executor.events.some((event) => event.type === 'action' && event.action.state === 'done'),
  ).toBe(false);
});

test('it is done when it is gone, whoever reads it then', async () => {
  takeAway();
  await executor.turns(1);
  expect(reported()).toBe('done done');
  expect(executor.actions()[0]!.endedAt).not.toBeNull();
});

test('it fails when its time is over, is read on, and is reported as done when it is gone', async () => {
  now += 11 * 60_000;
  await executor.turns(1);
  expect(reported()).toBe('failed not-finished');
  await executor.turns(1);
  expect(reported()).toBe('failed not-finished');
  now += 60_000;
  takeAway();
  await executor.turns(1);
  expect(reported()).toBe('done done');
  expect(executor.actions()[0]!.endedAt).toBe(new Date(now).toISOString());
});

test.each([
  ['within its time', 0],
  ['after it', 11 * 60_000],
])('an owner that returns meanwhile gets it back when it is gone, %s', async (_, later) => {
  putPod();
  now += later;
  await executor.turns(2);
  expect(reported()).toBe(later === 0 ? 'terminating racing' : 'failed not-finished');
  takeAway();
  await executor.turns(1);
  expect([reported(), isThere()]).toEqual(['undone raced', true]);
});

test.each([
  ['within its time', 0, 'terminating terminating'],
  ['after it', 11 * 60_000, 'failed not-finished'],
])('who wants it back reads that it must go first, %s', async (_, later, stands) => {
  now += later;
  await executor.turns(1);
  await executor.decide(
    decision({
      type: 'undo',
      of: executor.actions()[0]!.id,
      cluster: RECORDED_CLUSTER,
      at: new Date(now).toISOString(),
    } as Control),
  );
  await executor.turns(2);
  expect([reported(), executor.actions()[0]!.reason]).toEqual([
    stands,
    expect.stringContaining('it is made again when it is gone'),
  ]);
  takeAway();
  await executor.turns(1);
  expect([reported(), isThere()]).toEqual(['undone undone', true]);
});

test('reads that find the same are not recorded, whatever is said of it', async () => {
  await executor.decide(
    decision({ type: 'undo', of: executor.actions()[0]!.id, cluster: RECORDED_CLUSTER } as Control),
  );
  await executor.turns(1);
  const [before] = executor.actions();
  expect(before!.reason).toContain('anna wants it back');
  await executor.turns(1);
  expect(executor.actions()).toEqual([before]);
});

test('its time counts from when it was claimed, not from what was last said of it', async () => {
  now += 9 * 60_000;
  await executor.decide(
    decision({ type: 'undo', of: executor.actions()[0]!.id, cluster: RECORDED_CLUSTER } as Control),
  );
  await executor.turns(1);
  expect(executor.actions()[0]!.at).toBe(new Date(now).toISOString());
  now += 2 * 60_000;
  await executor.turns(1);
  expect(reported()).toBe('failed not-finished');
});

test('it is read less and less often, once a minute at last', () => {
  let steady = 0;
  const observations = terminatingChecks(() => steady);
  const [action] = executor.actions();
  const observed: number[] = [];
  for (; steady <= 1_300_000; steady += 500)
    if (observations.due([action!]).length > 0) observed.push(steady);
  expect(observed.slice(0, 4)).toEqual([0, 1000, 2000, 3000]);
  expect(observed.at(-1)! - observed.at(-2)!).toBe(60_000);
  observations.due([]);
  expect(observations.due([action!])).toHaveLength(1);
});

describe('where no kube-ovn-controller is running', () => {
  const without = async (lease: object | undefined): Promise<Scene> => {
    await executor.close();
    ({ northbound, kubernetes } = await recordedSystems('leaky'));
    kubernetes.remove('Lease', 'kube-system', 'kube-ovn-controller');
    if (lease !== undefined)
      kubernetes.put({
        kind: 'Lease',
        metadata: { namespace: 'kube-system', name: 'kube-ovn-controller' },
        spec: lease,
      });
    executor = scene({ northbound, kubernetes }, () => [finding], OPEN_LIMITS, {}, false);
    return executor;
  };

  test.each<[string, object | undefined]>([
    ['none ever led', undefined],
    [
      'the one there was does not renew its Lease',
      { holderIdentity: 'dead', renewTime: new Date().toISOString() },
    ],
  ])('an address is not deleted: %s', async (_, lease) => {
    await without(lease);
    await executor.turns(1);
    expect([reported(), isThere()]).toEqual(['deferred no-controller', true]);
    expect(
      kubernetes.objects('IP').every(({ metadata }) => metadata.deletionTimestamp === undefined),
    ).toBe(true);
  });

  test('nor is it once the one that led dies while it is proven', async () => {
    await executor.close();
    ({ northbound, kubernetes } = await recordedSystems('leaky'));
    const leads = withLeader(kubernetes);
    let dead = false;
    const get: typeof leads.get = (...given) =>
      given[0] === 'Lease' && dead ? Promise.resolve(undefined) : leads.get(...given);
    const systems = { northbound, kubernetes: Object.assign(Object.create(leads), { get }) };
    executor = scene(
      systems,
      () => [finding],
      OPEN_LIMITS,
      {
        // Right before the request it is asked whether the cluster is still ours.
        fence: async () => void (dead = true),
      },
      false,
    );
    await executor.turns(1);
    expect([reported(), isThere()]).toEqual(['deferred no-controller', true]);
    expect(
      executor.events.some((event) => event.type === 'action' && event.action.code === 'sending'),
    ).toBe(true);
  });

  test('the gate says so before anything is claimed', async () => {
    await without(undefined);
    await executor.turns(1);
    expect(
      executor.events.some((event) => event.type === 'action' && event.action.state === 'claimed'),
    ).toBe(false);
  });
});
