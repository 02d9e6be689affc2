import { Failure } from '@ovn-steward/shared/errors';
import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { Control } from '@ovn-steward/contracts/control/control';
import type { Proposal } from '../findings/proposal';
import type { Systems } from '@ovn-steward/systems/systems';
import { closeScenes, OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { decision } from '../testing/controls';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { contentOf } from '@ovn-steward/systems/testing/recorded-northbound';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';

const A: ClusterIdentity = { northbound: 'nb:a', kubernetes: 'kube-a' };
const B: ClusterIdentity = { northbound: 'nb:b', kubernetes: 'kube-b' };
const LOST = new Failure('source-unreachable', 'no answer');

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let systems: Systems;
let here: ClusterIdentity;
let all: Proposal[];
let proposals: readonly Proposal[];

beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  here = A;
  // What lies in the two is the same, as in a copy: only who they are distinguishes them.
  systems = {
    northbound: Object.assign(Object.create(northbound) as MemoryNorthbound, {
      identity: async () => here.northbound,
    }),
    kubernetes: Object.assign(Object.create(kubernetes) as MemoryKubernetes, {
      identity: async () => here.kubernetes,
    }),
  };
  all = (await recordedProposals('leaky')).filter((it) => it.rule === 'orphaned-port-group');
  proposals = all;
});
afterEach(closeScenes);

const acting = (more: Parameters<typeof scene>[3] = {}, limits: object = OPEN_LIMITS): Scene =>
  scene(systems, () => proposals, limits, more);
const about = (reported: object): Control =>
  decision({ ...reported, cluster: RECORDED_CLUSTER } as unknown as Parameters<typeof decision>[0]);
const states = (executor: Scene): string[] =>
  executor
    .actions()
    .map(({ state, code }) => `${state} ${code}`)
    .sort();
const refused = (executor: Scene): (string | undefined)[] =>
  executor.events
    .map((event) => (event.type === 'other-cluster' ? event.what : undefined))
    .filter(Boolean);
const removed = (): number =>
  all.filter(({ subject }) => !northbound.database.rows('Port_Group').has(subject.uid)).length;

/** One thing removed, and another claimed by a process that died before it sent it, in A. */
async function left(): Promise<Scene> {
  let fails = false;
  const executor = acting({ fence: () => (fails ? Promise.reject(LOST) : Promise.resolve()) });
  proposals = all.slice(0, 1);
  await executor.turns(1);
  fails = true;
  proposals = all.slice(1, 2);
  await executor.turns(1);
  fails = false;
  proposals = [];
  expect(states(executor)).toEqual(['claimed claimed', 'done done']);
  expect(executor.actions().map(({ identity }) => identity)).toEqual([A, A]);
  return executor;
}
const doneIn = (it: Scene): string => it.actions().find(({ state }) => state === 'done')!.id;

test('on other systems nothing is settled, put back, decided or sent; back on its own all goes on', async () => {
  const executor = await left();
  const before = contentOf(northbound);
  const after = executor.actions();
  await executor.decide(about({ type: 'undo', of: doneIn(executor) }));
  here = B;
  proposals = all.slice(2);
  await executor.turns(2);
  expect([contentOf(northbound), executor.actions()]).toEqual([before, after]);
  expect(refused(executor)).toEqual(['turn', 'turn']);
  expect(executor.events).toContainEqual({
    type: 'waits',
    why: expect.stringMatching(/belongs to the Northbound nb:a .*answer are the Northbound nb:b/),
  });
  here = A;
  proposals = [];
  await executor.turns(1);
  expect(states(executor)).toEqual(['deferred unsent', 'undone undone']);
});

test('not even the lock is asked for there', async () => {
  const executor = await left();
  here = B;
  let requested = 0;
  systems.northbound.queueForLock = systems.northbound.takeOver = async () => void (requested += 1);
  await executor.turns(1);
  expect(requested).toBe(0);
});

test('systems that change after the claim are not written to', async () => {
  proposals = all.slice(0, 1);
  const before = contentOf(northbound);
  const executor = acting({
    onEvent: (event) => {
      if (event.type === 'action' && event.action.code === 'claimed') here = B;
    },
  });
  await executor.turns(1);
  expect([contentOf(northbound), refused(executor)[0], states(executor)]).toEqual([
    before,
    'send',
    ['deferred other-cluster'],
  ]);
});

test('systems that change before the claim are not claimed on', async () => {
  let turns = 0;
  const before = contentOf(northbound);
  const executor = acting({
    onEvent: (event) => {
      // Until then the connection is new, and who answers is asked again for it.
      if (event.type === 'turn' && (turns += 1) === 2) {
        here = B;
        proposals = all.slice(0, 1);
      }
    },
  });
  proposals = [];
  await executor.turns(3);
  expect([contentOf(northbound), refused(executor), states(executor)]).toEqual([
    before,
    ['send'],
    ['deferred other-cluster'],
  ]);
});

/** A worker that began its turn while A answered, and goes on while B does. */
async function changedMeanwhile(executor: Scene): Promise<void> {
  proposals = [];
  const began = executor.options.proposals;
  const options = executor.options as { proposals: () => readonly Proposal[] };
  options.proposals = () => {
    here = B;
    return began();
  };
  await expect(executor.turns(1)).rejects.toMatchObject({ code: 'other-cluster' });
  options.proposals = began;
}

test('a claim is not settled by what is seen in others', async () => {
  const executor = await left();
  await changedMeanwhile(executor);
  expect(states(executor)).toEqual(['claimed claimed', 'done done']);
});

test('what is there already in others is not counted as put back', async () => {
  const executor = acting();
  proposals = all.slice(0, 1);
  await executor.turns(1);
  await executor.decide(about({ type: 'undo', of: doneIn(executor) }));
  await executor.turns(1);
  const { revision, ...undone } = executor.actions()[0]!;
  expect(undone.state).toBe('undone');
  executor.ledger.write([{ ...undone, revision: revision + 1, state: 'done', code: 'done' }]);
  const before = contentOf(northbound);
  // The turn and the last question before a write are answered by A, what is read then by B.
  let answers = 2;
  systems.kubernetes.identity = async () => {
    const { kubernetes: answer } = here;
    if ((answers -= 1) === 0) here = B;
    return answer;
  };
  proposals = [];
  await expect(executor.turns(1)).rejects.toMatchObject({ code: 'other-cluster' });
  expect([answers, states(executor), contentOf(northbound)]).toEqual([-1, ['done done'], before]);
});

describe('adopted by a person', () => {
  const adopt = (more: object = {}): Control =>
    about({
      type: 'adopt',
      to: B,
      unnamed: false,
      reason: 'rebuilt',
      at: new Date().toISOString(),
      ...more,
    });

  test('what was open of the old cluster ends without an effect, and what is new goes on', async () => {
    const executor = await left();
    await executor.decide(about({ type: 'undo', of: doneIn(executor) }));
    const before = contentOf(northbound);
    here = B;
    await executor.decide(adopt());
    await executor.turns(2);
    expect([states(executor), contentOf(northbound)]).toEqual([
      ['done other-cluster', 'failed other-cluster'],
      before,
    ]);
    expect(executor.actions()[0]!.reason).toMatch(/a person said that the cluster is another now/);
    expect(refused(executor).sort()).toEqual(['claim', 'undo']);
    proposals = all.slice(2, 3);
    await executor.turns(1);
    expect(
      executor.actions().find(({ state, code }) => `${state} ${code}` === 'done done'),
    ).toMatchObject({
      identity: B,
    });
    expect(removed()).toBe(2);
  });

  test('what was being put back there is put back nowhere', async () => {
    const executor = acting();
    proposals = all.slice(0, 1);
    await executor.turns(1);
    const { revision, ...done } = executor.actions()[0]!;
    executor.ledger.write([{ ...done, revision: revision + 1, code: 'racing' }]);
    const before = contentOf(northbound);
    here = B;
    await executor.decide(adopt());
    await executor.turns(2);
    expect([states(executor), contentOf(northbound)]).toEqual([['done other-cluster'], before]);
  });

  test('for a pair that does not answer, it changes nothing', async () => {
    const executor = await left();
    here = B;
    await executor.decide(adopt({ to: { ...B, kubernetes: 'kube-c' } }));
    await executor.turns(1);
    expect(states(executor)).toEqual(['claimed claimed', 'done done']);
    expect(refused(executor)).toEqual(['turn']);
  });

  test('what is claimed after it by whoever acts on the others is left to them', async () => {
    const executor = await left();
    here = B;
    await executor.decide(
      adopt({ at: '2020-01-01T00:00:00.000Z' }),
      about({ type: 'undo', of: doneIn(executor) }),
    );
    await executor.turns(1);
    expect(states(executor)).toEqual(['claimed claimed', 'done done']);
    expect(refused(executor).sort()).toEqual(['claim', 'undo']);
  });
});

describe('a decision about others', () => {
  test.each<[string, ClusterIdentity | undefined, string]>([
    ['counts for nothing where it is an approval', B, 'proposed approval'],
    ['of these counts', A, 'done done'],
    ['of nobody in particular counts', undefined, 'done done'],
  ])('%s', async (_, identity, becomes) => {
    proposals = all.slice(0, 1);
    const executor = acting({}, { ...OPEN_LIMITS, mode: 'propose' });
    const [{ id, revision }] = proposals as [Proposal];
    await executor.decide(
      about({
        type: 'approve',
        finding: id,
        revision,
        at: new Date().toISOString(),
        ...(identity && { identity }),
      }),
    );
    await executor.turns(2);
    expect(states(executor)).toEqual([becomes]);
    expect(refused(executor)).toEqual(identity === B ? ['approval'] : []);
  });

  test('puts nothing back', async () => {
    const executor = acting();
    proposals = all.slice(0, 1);
    await executor.turns(1);
    await executor.decide(about({ type: 'undo', of: doneIn(executor), identity: B }));
    await executor.turns(2);
    expect([states(executor), refused(executor)]).toEqual([['done done'], ['undo']]);
  });
});
