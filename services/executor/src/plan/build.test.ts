import { Failure } from '@ovn-steward/shared/errors';
import { EXECUTOR_ACTIONS, actionOf } from '../actions/registry';
import { isProposal, type Proposal } from '../findings/proposal';
import { confirmed, RECORDED_CLUSTER, recordedEngine } from '../testing/recorded-engine';
import { contentOf } from '@ovn-steward/systems/testing/recorded-northbound';
import { recordedSystems } from '../testing/recorded-systems';
import { buildPlan, type BuildPlanOptions } from './build';
import type { Plan } from './plan';
import { planText, readPlan } from './plan-text';
import { recordedProver } from '../testing/recorded-prover';

const NOW = new Date('2026-03-02T10:20:00.000Z');
const DAY = 86_400_000;
const never = new AbortController().signal;

let proposals: readonly Proposal[];
let systems: Awaited<ReturnType<typeof recordedSystems>>;
beforeAll(async () => {
  proposals = (await recordedEngine('leaky')).findings().map(confirmed).filter(isProposal);
});
beforeEach(async () => {
  systems = await recordedSystems('leaky');
});

const build = (more: Partial<BuildPlanOptions> = {}): Promise<Plan> => {
  const prover = recordedProver(systems);
  return buildPlan({
    proposals,
    graceOf: () => 900_000,
    prover,
    systems,
    actionOf,
    cluster: RECORDED_CLUSTER,
    now: () => NOW,
    validMs: DAY,
    signal: never,
    ...more,
  });
};
const reasons = ({ leftOut }: Plan): string[] => leftOut.map((it) => it.reason);

test('everything proven is in it, leaves before roots, with all that a person needs; and nothing was written', async () => {
  const before = contentOf(systems.northbound);
  const plan = await build();
  expect(plan.entries.length).toBeGreaterThan(5);
  expect(plan.entries.length + plan.leftOut.reduce((sum, it) => sum + it.count, 0)).toBe(
    proposals.length,
  );
  const ranks = plan.entries.map((it) => actionOf(it.action)!.rank);
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  for (const entry of plan.entries) {
    const action = EXECUTOR_ACTIONS.find(({ id }) => id === entry.action)!;
    expect(entry).toMatchObject({
      effect: action.does,
      undo: expect.stringMatching(new RegExp(`^${action.undoing}`)),
      ripeAt: NOW.toISOString(),
      why: expect.arrayContaining([expect.any(String)]),
    });
    expect(entry.why).toHaveLength(entry.proof.length);
  }
  // What the controller would not take notice of if it came back is said before it goes.
  expect(
    plan.entries
      .filter((it) => it.undo.includes('takes no notice of it'))
      .map((it) => it.target.name),
  ).toEqual(['node-edge-1.dc2.example.net']);
  expect(plan.counts.reduce((sum, it) => sum + it.count, 0)).toBe(plan.entries.length);
  expect(plan.identity).toEqual({
    northbound: await systems.northbound.identity(never),
    kubernetes: await systems.kubernetes.identity(never),
  });
  expect(plan.expiresAt).toBe('2026-03-03T10:20:00.000Z');
  expect(readPlan(planText(plan, 'rate'), 'it')).toEqual(plan);
  expect(contentOf(systems.northbound)).toEqual(before);
});

test('the same findings give the same plan, whatever order the findings come in', async () => {
  expect(await build({ proposals: [...proposals].reverse() })).toEqual(await build());
});

test('what is not confirmed yet has to ripen', async () => {
  const plan = await build({
    proposals: proposals.map((it, index) =>
      index % 2 === 0 ? { ...it, state: 'suspected' as const } : it,
    ),
    graceOf: (of) => (of === 'garbage' ? 900_000 : 60_000),
  });
  const seenOnce = new Set(proposals.filter((_, index) => index % 2 === 0).map(({ id }) => id));
  for (const entry of plan.entries)
    expect(entry.ripeAt).toBe(
      !seenOnce.has(entry.finding)
        ? NOW.toISOString()
        : entry.class === 'garbage'
          ? '2026-03-02T10:35:00.000Z'
          : '2026-03-02T10:21:00.000Z',
    );
  expect(new Set(plan.entries.map((it) => it.ripeAt)).size).toBeGreaterThan(1);
});

test('a finding that lies, is of another cluster, or wants what we cannot do is left out, with why', async () => {
  const [proposal] = (await build()).entries.map((entry) =>
    proposals.find(({ id }) => id === entry.finding)!,
  );
  const living = {
    ...proposal!,
    subject: { ...proposal!.subject, uid: '00000000-0000-4000-8000-000000000000' },
  };
  const plan = await build({
    proposals: [
      { ...proposal!, cluster: 'paris-1' },
      { ...proposal!, remedy: { ...proposal!.remedy, action: 'drop-everything' } },
      living,
      { ...proposal!, id: 'f'.repeat(64) },
    ],
  });
  expect(plan.entries).toEqual([]);
  expect(reasons(plan)).toEqual(
    expect.arrayContaining([
      'of the cluster paris-1',
      'this version has no action drop-everything',
    ]),
  );
  expect(plan.leftOut.flatMap((left) => left.findings)).toHaveLength(4);
});

test('what an entry before it changes is left for another plan', async () => {
  const plan = await build();
  const [first, second] = plan.entries.filter(
    (it) => it.target.source === 'ovn-nb' && it.target.part === undefined,
  );
  const linking: typeof actionOf = (id) => {
    const action = actionOf(id);
    return (
      action && {
        ...action,
        prepare: async (target, ...rest) => {
          const prepared = await action.prepare(target, ...rest);
          if (
            prepared.is === 'refused' ||
            prepared.undo.of !== 'rows' ||
            target.uid !== first!.target.uid
          )
            return prepared;
          return {
            ...prepared,
            undo: {
              ...prepared.undo,
              links: [
                {
                  table: second!.target.kind,
                  uuid: second!.target.uid,
                  name: '',
                  column: 'x',
                  to: { table: 'x', uuid: 'y' },
                  strength: 'weak' as const,
                },
              ],
            },
          };
        },
      }
    );
  };
  const other = await build({ actionOf: linking });
  expect(other.entries.map(({ id }) => id)).not.toContain(second!.id);
  expect(reasons(other)).toContainEqual(expect.stringContaining('make another plan'));
});

test('a limit keeps the first, and says what it left', async () => {
  const all = await build();
  const some = await build({ limit: 2 });
  expect(some.entries).toEqual(all.entries.slice(0, 2));
  expect(reasons(some)).toContain('not examined: the plan was limited to 2');
});

test('a plan is never larger than the log takes, whatever a finding says', async () => {
  const prover = recordedProver(systems);
  const wordy: BuildPlanOptions['prover'] = {
    prove: async (...args) => {
      const proof = await prover.prove(...args);
      return proof.is === 'proven'
        ? { ...proof, claim: { ...proof.claim, summary: 'x'.repeat(1_048_576) } }
        : proof;
    },
  };
  const plan = await build({
    prover: wordy,
    proposals: proposals.map((it) => ({ ...it, summary: 'x'.repeat(1_048_576) })),
  });
  expect([
    plan.entries.length,
    reasons(plan).filter((it) => it.includes('as large as a plan can be')),
  ]).toEqual([6, [expect.any(String)]]);
  expect(JSON.stringify(plan).length).toBeLessThan(7.5 * 1_048_576);
});

test('a system that fails leaves out what it concerns; one that does not say who it is ends it', async () => {
  systems.kubernetes.fault = ({ verb }) =>
    verb === 'identity' ? undefined : new Failure('source-unreachable', 'No answer.');
  const plan = await build();
  expect(plan.entries).toEqual([]);
  systems.kubernetes.fault = () => new Failure('source-unreachable', 'No answer.');
  await expect(build()).rejects.toMatchObject({ code: 'source-unreachable' });
});

test('stops when asked to', async () => {
  const abort = new AbortController();
  await expect(build({ signal: abort.signal, onProgress: () => abort.abort() })).rejects.toThrow();
});

test('what two findings ask for is in it once', async () => {
  const object = proposals.find(({ remedy }) => remedy.target.kind === 'IP')!;
  const plan = await build({ proposals: [object, object] });
  expect(plan.entries.map((it) => it.finding)).toEqual([object.id]);
  expect(reasons(plan)).toContain('another entry of this plan does the same');
});

test('it says so when it rests on the statement that Kube-OVN was uninstalled', async () => {
  const prover = recordedProver(systems);
  const prove: typeof prover.prove = async (proposal, signal) => {
    const proof = await prover.prove(proposal, signal);
    return proof.is === 'proven' ? { ...proof, bySaying: true } : proof;
  };
  expect([
    (await build({ limit: 1 })).uninstalled,
    (await build({ limit: 1, prover: { prove } })).uninstalled,
  ]).toEqual([undefined, true]);
});
