import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionOf } from '../actions/registry';
import { isProposal } from '../findings/proposal';
import { confirmed, RECORDED_CLUSTER, recordedEngine } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { buildPlan } from './build';
import { planText, readPlan } from './plan-text';
import { recordedProver } from '../testing/recorded-prover';

const PAGE = readFileSync(join(__dirname, '../../../../docs/plans.md'), 'utf8');
const SHOWN = /^```yaml plan\n([\s\S]*?)^```$/m.exec(PAGE)?.[1] ?? '';

test('the plan in docs/plans.md is what is made of the recorded cluster', async () => {
  const systems = await recordedSystems('leaky');
  const proposals = (await recordedEngine('leaky'))
    .findings()
    .map(confirmed)
    .filter(isProposal)
    .filter((it) => it.rule === 'orphaned-load-balancer' || it.subject.name === 'old.deny.legacy');
  const plan = await buildPlan({
    proposals,
    graceOf: () => 0,
    prover: recordedProver(systems),
    systems,
    actionOf,
    cluster: RECORDED_CLUSTER,
    now: () => new Date('2026-03-02T10:20:00.000Z'),
    validMs: 86_400_000,
    limit: 1,
    signal: new AbortController().signal,
  });
  expect(SHOWN).toBe(
    planText(
      plan,
      'At most 5 a second are done, and 10 at once (executor.rate of who carries it out), within its ceilings, windows and holds.',
    ),
  );
  expect(readPlan(SHOWN, 'the page')).toEqual(plan);
});
