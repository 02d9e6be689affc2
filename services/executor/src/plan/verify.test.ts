import { Failure } from '@ovn-steward/shared/errors';
import { actionOf } from '../actions/registry';
import { uninstalledText } from '@ovn-steward/shared/settings/uninstalled';
import { type Prover } from '../prove/prover';
import { isProposal, type Proposal } from '../findings/proposal';
import { confirmed, RECORDED_CLUSTER, recordedEngine } from '../testing/recorded-engine';
import { contentOf } from '@ovn-steward/systems/testing/recorded-northbound';
import { recordedSystems } from '../testing/recorded-systems';
import { buildPlan } from './build';
import { type Plan, type PlanEntry, planOf } from './plan';
import { type StalePlan, verifyPlan, type VerifyPlanOptions } from './verify';
import { recordedProver } from '../testing/recorded-prover';

const NOW = new Date('2026-03-02T10:20:00.000Z');
const never = new AbortController().signal;

let proposals: readonly Proposal[];
let systems: Awaited<ReturnType<typeof recordedSystems>>;
let plan: Plan;
beforeAll(async () => {
  proposals = (await recordedEngine('leaky')).findings().map(confirmed).filter(isProposal);
});
beforeEach(async () => {
  systems = await recordedSystems('leaky');
  plan = await buildPlan({ ...options(), proposals, graceOf: () => 0, validMs: 86_400_000 });
});

const options = (uninstalled: readonly string[] = []): VerifyPlanOptions => ({
  cluster: RECORDED_CLUSTER,
  systems,
  actionOf,
  now: () => NOW,
  signal: never,
  prover: recordedProver(systems, { uninstalled }),
});
const verify = (more: Partial<VerifyPlanOptions> = {}): Promise<void> =>
  verifyPlan(plan, { ...options(), ...more });
const refusal = (more: Partial<VerifyPlanOptions> = {}): Promise<StalePlan> =>
  verify(more).then(
    () => {
      throw new Error('it was not refused');
    },
    (error: StalePlan) => error,
  );
/** As somebody else would. */
const transact = (...operations: object[]): void =>
  void systems.northbound.database.transact(operations as never);
const setEntry = (): PlanEntry => plan.entries.find((it) => it.target.name === 'pool.tmp')!;
const byUuid = ({ target }: PlanEntry): unknown => [['_uuid', '==', ['uuid', target.uid]]];

test('a plan about what is as it was holds, and is verified without a write', async () => {
  const before = contentOf(systems.northbound);
  const observed: number[] = [];
  await verify({ onProgress: (it) => void observed.push(it) });
  expect(observed.at(-1)).toBe(plan.entries.length);
  expect(contentOf(systems.northbound)).toEqual(before);
});

test.each<[string, string, () => Partial<VerifyPlanOptions>, RegExp]>([
  [
    'cluster',
    'plan-foreign',
    () => ({ cluster: 'paris-1' }),
    /for the cluster berlin-1, and this is paris-1/,
  ],
  [
    'Northbound',
    'other-cluster',
    () => ({
      systems: {
        ...systems,
        northbound: { ...systems.northbound, identity: async () => 'nb:other' },
      },
    }),
    /for the Northbound nb:.*this is nb:other/,
  ],
  [
    'Kubernetes cluster',
    'other-cluster',
    () => ({
      systems: { ...systems, kubernetes: { ...systems.kubernetes, identity: async () => 'other' } },
    }),
    /for the Kubernetes cluster .*this is other/,
  ],
])('of another %s it is foreign: %s', async (_, code, other, says) => {
  const error = await refusal(other());
  expect([error.code, error.message]).toEqual([code, expect.stringMatching(says)]);
});

test('it is good until its end and no longer, and not before it was made', async () => {
  await verify({ now: () => new Date('2026-03-03T10:19:59.999Z') });
  expect(await refusal({ now: () => new Date('2026-03-03T10:20:00.000Z') })).toMatchObject({
    code: 'plan-stale',
    message: expect.stringContaining('expired at 2026-03-03T10:20:00.000Z'),
  });
  expect(await refusal({ now: () => new Date('2026-03-02T10:00:00.000Z') })).toMatchObject({
    code: 'plan-stale',
    message: expect.stringContaining('clock'),
  });
});

test('one row that says something else makes all of it stale, and is named', async () => {
  const entry = setEntry();
  transact({
    op: 'mutate',
    table: entry.target.kind,
    where: byUuid(entry),
    mutations: [['addresses', 'insert', '10.9.9.9']],
  });
  const error = await refusal();
  expect([error.code, error.moved.map((it) => [it.entry.id, it.reason])]).toEqual([
    'plan-stale',
    [[entry.id, 'it was changed']],
  ]);
  expect(error.message).toContain(`1 of the ${plan.entries.length} things`);
  expect(error.message).toContain(entry.target.name);
});

test('one that somebody else removed, too', async () => {
  const entry = setEntry();
  transact({ op: 'delete', table: entry.target.kind, where: byUuid(entry) });
  expect((await refusal()).moved.map((it) => it.entry.id)).toEqual([entry.id]);
});

test('one whose owner is back, though the row is as it was', async () => {
  const entry = setEntry();
  const { key: name } = entry.proof.find((fact) => fact.fact === 'absent') as { key: string };
  systems.kubernetes.put({
    kind: 'IPPool',
    apiVersion: 'kubeovn.io/v1',
    metadata: { name },
    spec: {},
  });
  const error = await refusal();
  expect(error.moved.map((it) => it.entry.id)).toEqual([entry.id]);
  expect(error.message).not.toContain('it was changed');
});

test('what has ended already may have moved', async () => {
  const entry = setEntry();
  transact({ op: 'delete', table: entry.target.kind, where: byUuid(entry) });
  await verify({ ended: (id) => id === entry.id });
});

test('a system that cannot be read is no reason to call it stale, nor to call it good', async () => {
  systems.northbound.read = () => Promise.reject(new Failure('source-unreachable', 'No answer.'));
  expect(await refusal()).toMatchObject({ code: 'source-unreachable' });
});

test('what rests on the statement that Kube-OVN was uninstalled is carried out only by who was given it', async () => {
  const { prover } = options();
  const bySaying: Prover['prove'] = async (...requested) => {
    const proof = await prover.prove(...requested);
    return proof.is === 'proven' ? { ...proof, bySaying: true } : proof;
  };
  const stated = await buildPlan({
    ...options(),
    prover: { prove: bySaying },
    proposals,
    graceOf: () => 0,
    validMs: 86_400_000,
  });
  expect([plan.uninstalled, planOf(JSON.parse(JSON.stringify(stated)), 'it').uninstalled]).toEqual([
    undefined,
    true,
  ]);
  const said = uninstalledText(stated.identity);
  for (const others of [[], [said.replace('nb:', 'cid:')]])
    await expect(verifyPlan(stated, options(others))).rejects.toMatchObject({
      code: 'plan-unstated',
      message: expect.stringContaining(`--uninstalled ${said}`),
    });
  await verifyPlan(stated, options([said]));
});
