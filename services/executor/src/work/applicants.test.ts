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
  it: Scene,
  then: (turn: number) => void = () => undefined,
): Promise<readonly (readonly string[])[]> {
  const stood: (readonly string[])[] = [];
  heard = (event) => {
    if (event.type !== 'turn') return;
    stood.push(reported(it));
    then(stood.length);
  };
  await it.turns(turns);
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
      const it = acting(executor);
      await it.decide(approved(await planOf()));
      remove(proposals[0]!);
      expect(await after(6, it, (turn) => void (turn === 3 && (now += 61_000)))).toEqual([
        ...Array<unknown>(3).fill(['deferred plan-stale']),
        ...Array<unknown>(3).fill([alone]),
      ]);
      expect(it.actions().map(({ revision }) => revision)).toEqual([2, 2, 2]);
    },
  );

  test('keeps nothing from being done that a person approved by itself, or with a plan that holds', async () => {
    const [moved, alone, again] = proposals as [Proposal, Proposal, Proposal];
    const it = acting({ mode: 'propose' });
    await it.decide(approved(await planOf()));
    remove(moved);
    await it.decide(
      decision({
        type: 'approve',
        finding: alone.id,
        revision: alone.revision,
        cluster: RECORDED_CLUSTER,
      } as Control),
      approved(await planOf({ proposals: [again] })),
    );
    await it.turns(1);
    expect(
      Object.fromEntries(
        it.actions().map(({ finding, state, code }) => [finding.id, `${state} ${code}`]),
      ),
    ).toEqual({
      [moved.id]: 'deferred plan-stale',
      [alone.id]: 'done done',
      [again.id]: 'done done',
    });
  });

  test('of two that are refused for different reasons one is reported', async () => {
    const it = acting({ mode: 'observe' });
    await it.decide(
      approved(await planOf({ now: () => new Date(now - 2 * HOUR_MS) })),
      approved(await planOf({ systems: elsewhere() })),
    );
    await after(4, it);
    expect(it.actions().map(({ revision }) => revision)).toEqual([1, 1, 1]);
  });
});

describe('a plan whose time is over', () => {
  test('after it was verified, while something kept it from being carried out: what was not begun is not done any more, and reported as such', async () => {
    const it = acting({ mode: 'propose', freezes: ['2026-05-04T09:00Z/2026-05-04T10:59Z'] });
    await it.decide(approved(await planOf()));
    expect(await after(4, it, (turn) => void (turn === 2 && (now += HOUR_MS)))).toEqual([
      ['deferred freeze'],
      ['deferred freeze'],
      ['deferred plan-stale'],
      ['deferred plan-stale'],
    ]);
    expect(it.actions()[0]!.reason).toContain('expired at 2026-05-04T11:00:00.000Z');
  });

  test('while it is carried out: the rest of it stays', async () => {
    const it = acting({ mode: 'propose' });
    await it.decide(approved(await planOf()));
    heard = (event) =>
      void (event.type === 'action' && event.action.state === 'done' && (now += HOUR_MS));
    await it.turns(2);
    expect(
      it
        .actions()
        .map(({ state, code }) => `${state} ${code}`)
        .sort(),
    ).toEqual(['deferred plan-stale', 'deferred plan-stale', 'done done']);
  });
});

test('what was approved when it died before is not done when it dies again', async () => {
  const it = acting({ mode: 'propose' });
  proposals = proposals.slice(0, 1).map((each) => ({ ...each, firstSeen: '2026-05-04T09:00:00Z' }));
  const [{ id, revision }] = proposals as [Proposal];
  const approval = (at: string): Control =>
    decision({ type: 'approve', finding: id, revision, cluster: RECORDED_CLUSTER, at });
  await it.decide(approval('2026-03-04T10:00:00Z'));
  await it.turns(1);
  expect(reported(it)).toEqual(['proposed approval']);
  await it.decide(approval('2026-05-04T09:59:00Z'));
  await it.turns(1);
  expect(reported(it)).toEqual(['done done']);
});

test('what is finished costs a turn nothing', async () => {
  const it = acting({ mode: 'propose' });
  const plan = await planOf();
  await it.decide(approved(plan));
  await it.turns(1);
  const [undone, ...others] = it.actions();
  await it.decide(
    decision({ type: 'undo', of: undone!.id, cluster: RECORDED_CLUSTER }),
    decision({ type: 'undo', of: plan.id, cluster: RECORDED_CLUSTER }),
  );
  await withWorker(it.options, new AbortController().signal, async (worker, signal) => {
    while (await worker.turn(signal));
    await sleep(500);
    await worker.turn(signal);
    expect(reported(it)).not.toContain('done done');
    await sleep(500);
    [proposals] = [[]];
    const requested: string[] = [];
    for (const name of ['get', 'stateOf', 'ofPlan'] as const) {
      const real = it.ledger[name].bind(it.ledger) as (id: string) => never;
      it.ledger[name] = (id: string) => {
        requested.push(`${name} ${id}`);
        return real(id);
      };
    }
    const list = it.ledger.list.bind(it.ledger);
    it.ledger.list = (page) => {
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
  const it = acting({ mode: 'propose' }, { onlyPlan: one!.id });
  await it.decide(approved(one!), approved(another!));
  await it.turns(1);
  expect(
    Object.fromEntries(it.actions().map(({ finding, state }) => [finding.id, state])),
  ).toMatchObject({ [proposals[0]!.id]: 'done', [proposals[1]!.id]: 'proposed' });
});

test('what a person had put back is not removed again by itself', async () => {
  const it = acting();
  proposals = proposals.slice(0, 1);
  await it.turns(1);
  await it.decide(decision({ type: 'undo', of: it.actions()[0]!.id, cluster: RECORDED_CLUSTER }));
  await it.turns(1);
  expect(reported(it)).toEqual(['undone undone']);
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
  await it.turns(2);
  expect(reported(it)).toEqual(['deferred put-back', 'undone undone']);
});
