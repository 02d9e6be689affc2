import { operation } from '@ovn-steward/ovsdb';
import { actionOf } from '../actions/registry';
import type { Proposal } from '../findings/proposal';
import type { Item } from '../gate/item';
import { buildPlan } from '../plan/build';
import type { PlanEntry } from '../plan/plan';
import { verifyPlan } from '../plan/verify';
import { OPEN_LIMITS, recordedProposals, scene } from '../testing/acting';
import { decision } from '../testing/controls';
import { finishesDeletions } from '../testing/finishes-deletions';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { isAsPlanned } from './as-planned';
import { itemOfPlan } from './items';
import { recordedProver } from '../testing/recorded-prover';

const never = new AbortController().signal;

/**
 * A port group that nothing needs any more, two leaked addresses whose ports it lists, and a port
 * of it that lives.
 */
let recorded: readonly Proposal[];
let group: string;
let groupName: string;
let planned: readonly string[];
let living: string;
let systems: Awaited<ReturnType<typeof recordedSystems>>;
let entries: readonly PlanEntry[];
let items: (id: string) => Item;

beforeAll(async () => {
  recorded = await recordedProposals('leaky');
});
beforeEach(async () => {
  systems = await recordedSystems('leaky');
  const ofGroup = recorded.find(({ rule, proof }) => {
    return rule === 'orphaned-port-group' && proof.some(({ fact }) => fact === 'absent');
  })!;
  const leaked = recorded
    .filter(({ rule, concerns }) => rule === 'leaked-ip' && concerns.length === 1)
    .slice(0, 2);
  const accused = new Set(
    recorded.flatMap((it) => [it.subject, ...it.concerns].map((of) => of.uid)),
  );
  ({ uid: group, name: groupName } = ofGroup.subject);
  planned = leaked.flatMap(({ concerns }) => concerns.map(({ uid }) => uid));
  living = [...systems.northbound.database.rows('Logical_Switch_Port').keys()].find(
    (uid) => !accused.has(uid),
  )!;
  members('insert', ...planned);
  const plan = await buildPlan({
    ...reading(),
    proposals: [...leaked, ofGroup],
    graceOf: () => 0,
    validMs: 3_600_000,
  });
  ({ entries } = plan);
  const approved = { plan, by: 'anna', at: plan.createdAt, overCeilings: false };
  items = (uid) =>
    itemOfPlan(
      approved,
      entries.find(({ target }) => target.uid === uid)!,
      () => 'observe',
    );
});

const reading = () => ({
  systems,
  prover: recordedProver(systems),
  actionOf,
  cluster: RECORDED_CLUSTER,
  now: () => new Date(),
  signal: never,
});
const transact = (
  ...operations: Parameters<typeof systems.northbound.database.transact>[0][number][]
) =>
  void expect(systems.northbound.database.transact(operations)).toEqual(
    expect.objectContaining({ ok: true }),
  );
function members(how: 'insert' | 'delete', ...uids: readonly string[]): void {
  const mutations = uids.map((it) => ['ports', how, operation.uuid(it)] as const);
  transact(operation.mutate('Port_Group', operation.byUuid(group), mutations));
}
const ownedByAnother = (): void => {
  const entries = ['map', [['np', 'shop/another']]];
  transact(
    operation.mutate('Port_Group', operation.byUuid(group), [
      ['external_ids', 'delete', ['set', ['np']]],
      ['external_ids', 'insert', entries as never],
    ]),
  );
};
const addRule = (): void => {
  const acl = crypto.randomUUID();
  transact(
    operation.insert(
      'ACL',
      {
        action: 'allow-related',
        direction: 'to-lport',
        match: 'ip',
        priority: 2001,
        external_ids: ['map', Object.entries({ vendor: 'kube-ovn', parent: groupName })],
      },
      acl,
    ),
    operation.mutate('Port_Group', operation.byUuid(group), [
      ['acls', 'insert', operation.uuid(acl)],
    ]),
  );
};
/** The port of that IP goes with it, and its groups lose it. */
const portGoes = (ip: string): void => {
  const { database } = systems.northbound;
  const { concerns } = entries.find(({ target }) => target.name === ip)!;
  for (const { uid } of concerns) {
    const [holder] = [...database.rows('Logical_Switch')].find(([, { ports }]) =>
      JSON.stringify(ports).includes(uid),
    )!;
    transact(
      operation.mutate('Logical_Switch', operation.byUuid(holder), [
        ['ports', 'delete', operation.uuid(uid)],
      ]),
    );
  }
};

/**
 * Whether the group is what the plan was made of; after its guards were read, that happens besides.
 */
async function asPlanned(meanwhile: () => void = () => undefined): Promise<boolean> {
  const item = items(group);
  const of = { action: item.id, rule: item.finding.rule, finding: item.finding.id };
  const prepared = await item.action!.prepare(item.finding.remedy.target, of, systems, never);
  if (prepared.is === 'refused') throw new Error(prepared.reason);
  meanwhile();
  return isAsPlanned(item, prepared, systems, never);
}

test('the plan has both addresses before the group', () =>
  expect(entries.map(({ action }) => action)).toEqual([
    'delete-ip',
    'delete-ip',
    'delete-port-group',
  ]));

test.each<[string, () => void]>([
  ['are all there', () => undefined],
  ['were taken out', () => members('delete', ...planned)],
  ['were taken out in part', () => members('delete', planned[0]!)],
])('it is, where members that the plan removes %s', async (_, change) => {
  change();
  expect(await asPlanned()).toBe(true);
});

test.each<[string, () => void]>([
  ['a member that lives was added', () => members('insert', living)],
  ['it got a rule', addRule],
])('it is not, where %s, whether or not planned members went', async (_, change) => {
  change();
  expect(await asPlanned()).toBe(false);
  members('delete', ...planned);
  expect(await asPlanned()).toBe(false);
});

test('what names another owner is refused before that', async () => {
  ownedByAnother();
  await expect(asPlanned()).rejects.toThrow('is kept: its keys do not reproduce its name');
});

test('what its guards were read with counts, and not what is there a moment later', async () => {
  members('insert', living);
  expect(await asPlanned(() => members('delete', living))).toBe(false);
});

test('it is not, where a member went that the plan does not remove', async () => {
  members('insert', living);
  const plan = await buildPlan({
    ...reading(),
    proposals: recorded.filter(({ subject }) => subject.uid === group),
    graceOf: () => 0,
    validMs: 3_600_000,
  });
  const approved = { plan, by: 'anna', at: plan.createdAt, overCeilings: false };
  items = () => itemOfPlan(approved, plan.entries[0]!, () => 'observe');
  expect(await asPlanned()).toBe(true);
  members('delete', living);
  expect(await asPlanned()).toBe(false);
  members('insert', living);
  members('delete', planned[0]!);
  expect(await asPlanned()).toBe(false);
});

describe('carried out beside a controller that takes the port of a deleted IP', () => {
  const carriedOut = async (meanwhile: () => void): Promise<readonly string[]> => {
    finishesDeletions(systems.kubernetes);
    const send = systems.kubernetes.delete;
    systems.kubernetes.delete = async (...given) => {
      const answer = await send(...given);
      portGoes(given[0].name);
      meanwhile();
      return answer;
    };
    const plan = await buildPlan({
      ...reading(),
      proposals: recorded.filter(({ id }) => entries.some(({ finding }) => finding === id)),
      graceOf: () => 0,
      validMs: 3_600_000,
    });
    await verifyPlan(plan, reading());
    const executor = scene(systems, () => [], OPEN_LIMITS, { onlyPlan: plan.id });
    const at = new Date().toISOString();
    const control = { type: 'plan' as const, cluster: RECORDED_CLUSTER, at, overCeilings: false };
    await executor.decide(decision({ ...control, plan: { ...plan } }));
    await executor.turns(2);
    const ended = executor.actions().map(({ target, code }) => `${target.kind} ${code}`);
    await executor.close();
    return ended.sort();
  };

  test('the whole plan is done', async () =>
    expect(await carriedOut(() => undefined)).toEqual(['IP done', 'IP done', 'Port_Group done']));

  test('a group that got another member meanwhile is kept', async () => {
    expect(await carriedOut(() => members('insert', living))).toEqual([
      'IP done',
      'IP done',
      'Port_Group plan-stale',
    ]);
    expect(systems.northbound.database.rows('Port_Group').has(group)).toBe(true);
  });
});
