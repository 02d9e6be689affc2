import { setTimeout as sleep } from 'node:timers/promises';
import type { Control } from '@ovn-steward/contracts/control/control';
import { actionOf } from '../actions/registry';
import { buildPlan } from '../plan/build';
import type { Plan } from '../plan/plan';
import type { Proposal } from '../findings/proposal';
import { closeScenes, OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { decision } from '../testing/controls';
import { finishesDeletions } from '../testing/finishes-deletions';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import type { Systems } from '@ovn-steward/systems/systems';
import { recordedProver } from '../testing/recorded-prover';
import { withWorker } from './act';
import type { ActEvent } from './act-options';

const HOUR_MS = 3_600_000;

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let proposals: Proposal[];
let now: number;
let heard: (event: ActEvent) => void;

beforeEach(async () => {
  heard = () => undefined;
  now = Date.parse('2026-05-04T10:00:00Z');
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  finishesDeletions(kubernetes);
  proposals = (await recordedProposals('leaky'))
    .filter((it) => it.rule === 'leaked-ip')
    .slice(0, 3);
  expect(proposals).toHaveLength(3);
});

afterEach(closeScenes);

const acting = (executor: object = {}, more: Parameters<typeof scene>[3] = {}): Scene =>
  scene(
    { northbound, kubernetes },
    () => proposals,
    { ...OPEN_LIMITS, ...executor },
    { clock: () => new Date(now), onEvent: (event) => heard(event), ...more },
  );
const planOf = (more: Partial<Parameters<typeof buildPlan>[0]> = {}): Promise<Plan> => {
  const systems = { northbound, kubernetes };
  const prover = recordedProver(systems);
  return buildPlan({
    proposals,
    graceOf: () => 0,
    prover,
    systems,
    actionOf,
    cluster: RECORDED_CLUSTER,
    now: () => new Date(now),
    validMs: HOUR_MS,
    signal: new AbortController().signal,
    ...more,
  });
};
/** The same systems under another name. */
const elsewhere = (): Systems => ({
  northbound: Object.assign(Object.create(northbound) as MemoryNorthbound, {
    identity: () => Promise.resolve('another'),
  }),
  kubernetes,
});
const approved = (plan: Plan): Control =>
  decision({
    type: 'plan',
    plan: { ...plan },
    overCeilings: false,
    cluster: RECORDED_CLUSTER,
    at: new Date(now).toISOString(),
  });
const remove = ({ subject: { kind, name } }: Proposal): void =>
  kubernetes.remove(kind, undefined, name);
const reported = (it: Scene): readonly string[] =>
  [...new Set(it.actions().map(({ state, code }) => `${state} ${code}`))].sort();

/**
 * What stands after each of so many turns of one process; `then` is called with the turn that
 * ended.
 */
async function after(
  turns: number,
  running: Scene,
  then: (turn: number) => void = () => undefined,
): Promise<readonly (readonly string[])[]> {
  const stood: (readonly string[])[] = [];
  heard = (event) => {
    if (event.type !== 'turn') return;
    stood.push(reported(running));
    then(stood.length);
  };
  await running.turns(turns);
  return stood;
}

describe('a plan that is refused, of what the executor finds by itself', () => {
  test.each<[string, object]>([
    ['observed mode', { mode: 'observe' }],
    ['proposed approval', { mode: 'propose' }],
    ['deferred ceiling', { ceilings: { cluster: { least: 1, share: 0, most: 1 } } }],
  ])(
    'is reported for a minute, then once what else there is to say: %s',
    async (alone, executor) => {
      const running = acting(executor);
      await running.decide(approved(await planOf()));
      remove(proposals[0]!);
      expect(await after(6, running, (turn) => void (turn === 3 && (now += 61_000)))).toEqual([
        ...Array<unknown>(3).fill(['deferred plan-stale']),
        ...Array<unknown>(3).fill([alone]),
      ]);
      expect(running.actions().map(({ revision }) => revision)).toEqual([2, 2, 2]);
    },
  );

  test('keeps nothing from being done that a person approved by itself, or with a plan that holds', async () => {
    const [moved, alone, again] = proposals as [Proposal, Proposal, Proposal];
    const running = acting({ mode: 'propose' });
    await running.decide(approved(await planOf()));
    remove(moved);
    await running.decide(
      decision({
        type: 'approve',
        finding: alone.id,
        revision: alone.revision,
        cluster: RECORDED_CLUSTER,
      } as Control),
      approved(await planOf({ proposals: [again] })),
    );
    await running.turns(1);
    expect(
      Object.fromEntries(
        running.actions().map(({ finding, state, code }) => [finding.id, `${state} ${code}`]),
      ),
    ).toEqual({
      [moved.id]: 'deferred plan-stale',
      [alone.id]: 'done done',
      [again.id]: 'done done',
    });
  });

  test('of two that are refused for different reasons one is reported', async () => {
    const running = acting({ mode: 'observe' });
    await running.decide(
      approved(await planOf({ now: () => new Date(now - 2 * HOUR_MS) })),
      approved(await planOf({ systems: elsewhere() })),
    );
    await after(4, running);
    expect(running.actions().map(({ revision }) => revision)).toEqual([1, 1, 1]);
  });
});

describe('a plan whose time is over', () => {
  test('after it was verified, while something kept it from being carried out: what was not begun is not done any more, and reported as such', async () => {
    const running = acting({ mode: 'propose', freezes: ['2026-05-04T09:00Z/2026-05-04T10:59Z'] });
    await running.decide(approved(await planOf()));
    expect(await after(4, running, (turn) => void (turn === 2 && (now += HOUR_MS)))).toEqual([
      ['deferred freeze'],
      ['deferred freeze'],
      ['deferred plan-stale'],
      ['deferred plan-stale'],
    ]);
    expect(running.actions()[0]!.reason).toContain('expired at 2026-05-04T11:00:00.000Z');
  });

  test('while it is carried out: the rest of it stays', async () => {
    const running = acting({ mode: 'propose' });
    await running.decide(approved(await planOf()));
    heard = (event) =>
      void (event.type === 'action' && event.action.state === 'done' && (now += HOUR_MS));
    await running.turns(2);
    expect(
      running
        .actions()
        .map(({ state, code }) => `${state} ${code}`)
        .sort(),
    ).toEqual(['deferred plan-stale', 'deferred plan-stale', 'done done']);
  });
});

test('what was approved when it died before is not done when it dies again', async () => {
  const running = acting({ mode: 'propose' });
  proposals = proposals.slice(0, 1).map((each) => ({ ...each, firstSeen: '2026-05-04T09:00:00Z' }));
  const [{ id, revision }] = proposals as [Proposal];
  const approval = (at: string): Control =>
    decision({ type: 'approve', finding: id, revision, cluster: RECORDED_CLUSTER, at });
  await running.decide(approval('2026-03-04T10:00:00Z'));
  await running.turns(1);
  expect(reported(running)).toEqual(['proposed approval']);
  await running.decide(approval('2026-05-04T09:59:00Z'));
  await running.turns(1);
  expect(reported(running)).toEqual(['done done']);
});

test('what is finished costs a turn nothing', async () => {
  const running = acting({ mode: 'propose' });
  const plan = await planOf();
  await running.decide(approved(plan));
  await running.turns(1);
  const [undone, ...others] = running.actions();
  await running.decide(
    decision({ type: 'undo', of: undone!.id, cluster: RECORDED_CLUSTER }),
    decision({ type: 'undo', of: plan.id, cluster: RECORDED_CLUSTER }),
  );
  await withWorker(running.options, new AbortController().signal, async (worker, signal) => {
    while (await worker.turn(signal));
    await sleep(500);
    await worker.turn(signal);
    expect(reported(running)).not.toContain('done done');
    await sleep(500);
    proposals = [];
    const requested: string[] = [];
    for (const name of ['get', 'stateOf', 'ofPlan'] as const) {
      const real = running.ledger[name].bind(running.ledger) as (id: string) => never;
      running.ledger[name] = (id: string) => {
        requested.push(`${name} ${id}`);
        return real(id);
      };
    }
    const list = running.ledger.list.bind(running.ledger);
    running.ledger.list = (page) => {
      if (page?.state === 'undone') requested.push('what is undone');
      return list(page);
    };
    await worker.turn(signal);
    expect(requested).toEqual([]);
  });
  expect(others).toHaveLength(2);
});

test('of several approved plans only the one that is asked for is carried out', async () => {
  const [one, another] = await Promise.all(
    proposals.slice(0, 2).map((each) => planOf({ proposals: [each] })),
  );
  const running = acting({ mode: 'propose' }, { onlyPlan: one!.id });
  await running.decide(approved(one!), approved(another!));
  await running.turns(1);
  expect(
    Object.fromEntries(running.actions().map(({ finding, state }) => [finding.id, state])),
  ).toMatchObject({ [proposals[0]!.id]: 'done', [proposals[1]!.id]: 'proposed' });
});

test('what a person had put back is not removed again by itself', async () => {
  const running = acting();
  proposals = proposals.slice(0, 1);
  await running.turns(1);
  await running.decide(
    decision({ type: 'undo', of: running.actions()[0]!.id, cluster: RECORDED_CLUSTER }),
  );
  await running.turns(1);
  expect(reported(running)).toEqual(['undone undone']);
  const { uid } = kubernetes
    .objects('IP')
    .find(({ metadata }) => metadata.name === proposals[0]!.subject.name)!.metadata;
  const at = <T extends object>(reference: T): T => ({ ...reference, uid });
  const { subject, remedy, revision } = proposals[0]!;
  proposals = [
    {
      ...proposals[0]!,
      revision: revision + 2,
      subject: at(subject),
      remedy: { ...remedy, target: at(remedy.target) },
    },
  ];
  await running.turns(2);
  expect(reported(running)).toEqual(['deferred put-back', 'undone undone']);
});
