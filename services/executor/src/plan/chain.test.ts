import { actionOf } from '../actions/registry';
import type { Proposal } from '../findings/proposal';
import { OPEN_LIMITS, recordedProposals, scene } from '../testing/acting';
import { decision } from '../testing/controls';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { finishesDeletions } from '../testing/finishes-deletions';
import { recordedSystems } from '../testing/recorded-systems';
import { buildPlan } from './build';
import type { Plan } from './plan';
import { verifyPlan } from './verify';
import { recordedProver } from '../testing/recorded-prover';

const never = new AbortController().signal;

let proposals: readonly Proposal[];
let systems: Awaited<ReturnType<typeof recordedSystems>>;
beforeAll(async () => {
  proposals = await recordedProposals('leaky');
});
beforeEach(async () => {
  systems = await recordedSystems('leaky');
  finishesDeletions(systems.kubernetes);
});

const options = () => ({
  systems,
  prover: recordedProver(systems),
  actionOf,
  cluster: RECORDED_CLUSTER,
  now: () => new Date(),
  signal: never,
});
const build = (of: readonly Proposal[]): Promise<Plan> =>
  buildPlan({ ...options(), proposals: of, graceOf: () => 0, validMs: 3_600_000 });
const reasons = ({ leftOut }: Plan): string[] =>
  leftOut.map(({ count, reason }) => `${count} ${reason}`);

test('what only something else in the plan still uses is in it, after that', async () => {
  const whole = await build(proposals);
  expect(reasons(whole)).toEqual([]);
  expect(whole.entries).toHaveLength(proposals.length);
  const roots = proposals.filter((it) => !it.rule.endsWith('-policy'));
  const withoutLeaves = await build(roots);
  expect(withoutLeaves.entries.length).toBeLessThan(roots.length);
  expect(reasons(withoutLeaves).join()).toContain('in-use');
});

test('it holds as it was made, and each entry is done when its turn comes', async () => {
  const plan = await build(proposals);
  await verifyPlan(plan, options());
  const executor = scene(systems, () => [], OPEN_LIMITS, { onlyPlan: plan.id });
  await executor.decide(
    decision({
      type: 'plan',
      cluster: RECORDED_CLUSTER,
      at: new Date().toISOString(),
      plan: { ...plan },
      overCeilings: false,
    }),
  );
  await executor.turns(2);
  expect(
    executor
      .actions()
      .filter(({ state }) => state !== 'done')
      .map(({ reason }) => reason),
  ).toEqual([]);
  expect(executor.actions()).toHaveLength(plan.entries.length);
  await executor.close();
});
