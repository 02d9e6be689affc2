import type { Control } from '@ovn-steward/contracts/control/control';
import { CONTROL } from '@ovn-steward/shared/log/topics';
import fc from 'fast-check';
import { actionOf } from '../actions/registry';
import { type ControlState, NOTHING_DECIDED } from '../control/control-state';
import { decidedIn } from '../control/decided-in';
import type { Whose } from '../identity/foreign-turn';
import { buildPlan } from '../plan/build';
import type { Plan } from '../plan/plan';
import type { Proposal } from '../findings/proposal';
import { OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { decision } from '../testing/controls';
import { identityOf } from '../testing/identities';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { finishesDeletions } from '../testing/finishes-deletions';
import { recordedSystems } from '../testing/recorded-systems';
import { foresee } from './foresee';
import { recordedProver } from '../testing/recorded-prover';

const never = new AbortController().signal;
const NOW = Date.parse('2026-05-04T10:00:00Z');

let proposals: readonly Proposal[];
beforeAll(async () => {
  proposals = await recordedProposals('leaky');
});

const planOn = (
  systems: Scene['options']['systems'],
  of: readonly Proposal[],
  graceOf: () => number,
): Promise<Plan> =>
  buildPlan({
    proposals: of,
    graceOf,
    prover: recordedProver(systems),
    systems,
    actionOf,
    cluster: RECORDED_CLUSTER,
    now: () => new Date(NOW),
    validMs: 3_600_000,
    signal: never,
  });

interface Limits {
  readonly executor: object;
  readonly holds: readonly object[];
  readonly overCeilings?: boolean;
  /** Every so many of the findings were seen only once. */
  readonly unripe?: number;
}

/** What is foreseen of a plan of all that is found, and what becomes of it. */
async function foreseenAndDone({ executor, holds, overCeilings = false, unripe }: Limits) {
  const systems = await recordedSystems('leaky');
  finishesDeletions(systems.kubernetes);
  const seen = proposals.map((it, index) =>
    unripe !== undefined && index % unripe === 0 ? { ...it, state: 'suspected' as const } : it,
  );
  const plan = await planOn(systems, seen, () => 900_000);
  const running = scene(
    systems,
    () => [],
    { ...OPEN_LIMITS, ...executor },
    {
      onlyPlan: plan.id,
      clock: () => new Date(NOW),
    },
  );
  const at = new Date(NOW).toISOString();
  const of = { cluster: RECORDED_CLUSTER, at };
  await running.decide(
    ...holds.map((scope) => decision({ type: 'hold', scope, until: null, ...of } as Control)),
  );
  const { log, partition } = running.options;
  const foreseen = await foresee(
    plan,
    {
      ...running.options,
      decided: await decidedIn(
        (from) => log.read(CONTROL, partition, from, 3),
        [],
        RECORDED_CLUSTER,
      ),
      whose: { owner: undefined, newest: undefined },
      overCeilings,
    },
    never,
  );
  await running.decide(decision({ type: 'plan', plan: { ...plan }, overCeilings, ...of }));
  await running.turns(2);
  const done = running.actions().flatMap(({ id, state }) => (state === 'done' ? [id] : []));
  const codes = new Map(running.actions().map(({ id, code }) => [id, code]));
  await running.close();
  return {
    promised: foreseen.filter(({ stays }) => stays === undefined).map(({ entry }) => entry.id),
    done,
    said: foreseen.flatMap(({ entry, stays }) =>
      stays === undefined || stays.code === 'unripe' ? [] : [[entry.id, stays.code]],
    ),
    codes,
    plan,
  };
}

const ceilings = (cluster: number) => ({
  ceilings: { cluster: { least: cluster, share: 0, most: cluster } },
});

describe('what a dry run promises is what is done', () => {
  test.each<[string, Limits, (promised: number, entries: number) => boolean]>([
    [
      'with the limits as they are by default',
      { executor: { ceilings: {} }, holds: [] },
      (it) => it === 0,
    ],
    ['with open limits', { executor: {}, holds: [] }, (it, entries) => it === entries],
    ['over a ceiling', { executor: ceilings(5), holds: [] }, (it) => it === 0],
    [
      'over a ceiling that was lifted for it',
      { executor: ceilings(5), holds: [], overCeilings: true },
      (it, entries) => it === entries,
    ],
    [
      'under a hold of one rule',
      { executor: {}, holds: [{ rule: 'leaked-ip' }] },
      (it, entries) => it > 0 && it < entries,
    ],
    ['under a hold of everything', { executor: {}, holds: [{}] }, (it) => it === 0],
    [
      'in observe mode',
      { executor: { mode: 'observe' }, holds: [] },
      (it, entries) => it === entries,
    ],
    [
      'outside the windows',
      { executor: { windows: ['Sun 03:00-04:00 UTC'] }, holds: [] },
      (it) => it === 0,
    ],
    [
      'in a freeze',
      { executor: { freezes: ['2026-05-04T00:00Z/2026-05-05T00:00Z'] }, holds: [] },
      (it) => it === 0,
    ],
    [
      'with some seen only once',
      { executor: {}, holds: [], unripe: 2 },
      (it, entries) => it > 0 && it < entries,
    ],
  ])('%s', async (_, limits, fits) => {
    const { promised, done, said, codes, plan } = await foreseenAndDone(limits);
    expect(done.sort()).toEqual([...promised].sort());
    for (const [id, code] of said) expect([id, codes.get(id!)]).toEqual([id, code]);
    expect(fits(promised.length, plan.entries.length)).toBe(true);
  });

  test('whatever the limits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          executor: fc.oneof(fc.constant({}), fc.nat(60).map(ceilings)),
          holds: fc.uniqueArray(
            fc.constantFrom({ rule: 'leaked-ip' }, { subnet: 'apps' }, { vpc: 'ovn-cluster' }, {}),
            { maxLength: 2 },
          ),
          overCeilings: fc.boolean(),
          unripe: fc.constantFrom(undefined, 2, 3),
        }),
        async (limits) => {
          const { promised, done } = await foreseenAndDone(limits as Limits);
          expect(done.sort()).toEqual([...promised].sort());
        },
      ),
      { numRuns: 6 },
    );
  });
});

test('on other systems than the ledger belongs to nothing is promised, unless a person adopted them', async () => {
  const systems = await recordedSystems('leaky');
  finishesDeletions(systems.kubernetes);
  const plan = await planOn(systems, proposals.slice(0, 3), () => 0);
  const running = scene(systems, () => [], OPEN_LIMITS, { clock: () => new Date(NOW) });
  const here = await identityOf(systems);
  const other = { northbound: 'nb:other', kubernetes: 'other' };
  const staying = async (
    whose: Whose,
    adopted?: ControlState['adopted'],
  ): Promise<readonly (string | undefined)[]> => {
    const decided = { ...NOTHING_DECIDED, ...(adopted && { adopted }) };
    const options = { ...running.options, decided, whose, overCeilings: false };
    return (await foresee(plan, options, never)).map(({ stays }) => stays?.code);
  };
  const owner = (identity: typeof other) => ({ identity, unnamed: false, adopted: null });
  const all = (code: string | undefined) => plan.entries.map(() => code);
  expect(plan.entries.length).toBeGreaterThan(0);
  expect(await staying({ owner: owner(here), newest: other })).toEqual(all(undefined));
  expect(await staying({ owner: owner(other), newest: here })).toEqual(all('other-cluster'));
  expect(await staying({ owner: undefined, newest: other })).toEqual(all('other-cluster'));
  const adopted = decision({
    type: 'adopt',
    cluster: RECORDED_CLUSTER,
    at: new Date(NOW).toISOString(),
    to: here,
    unnamed: false,
    reason: 'rebuilt',
  }) as NonNullable<ControlState['adopted']>;
  expect(await staying({ owner: owner(other), newest: other }, adopted)).toEqual(all(undefined));
  await running.close();
});
