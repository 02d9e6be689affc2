import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { VPC_GUARD } from '@ovn-steward/shared/vpc-guard';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { GATE } from '@ovn-steward/shared/pod-gate';
import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { Ledger } from '../ledger/ledger';
import { LedgerIdentity } from '../ledger/ledger-identity';
import { POLICIES } from '@ovn-steward/guard/policies/registry';
import { emptyNorthbound } from '../testing/action-cluster';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { Systems } from '@ovn-steward/systems/systems';
import { OPEN_LIMITS, recordedProposals } from '../testing/acting';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { withLeader } from '../testing/with-leader';
import type { ActEvent } from '../work/act-options';
import { actingOf, type ActingParts } from './acting-of';

/** What an executor with these settings reported until that was enough. */
async function acted(
  systems: Systems,
  settings: object,
  enough: (events: readonly ActEvent[]) => boolean,
  {
    owner,
    store,
  }: { readonly owner?: ClusterIdentity; readonly store?: ActingParts['store'] } = {},
): Promise<{ readonly events: readonly ActEvent[] }> {
  const log = openSqliteLog({ file: ':memory:' });
  await log.ensureTopics(TOPICS);
  const file = openStateFile(':memory:');
  const parsed = Settings.parse(settings);
  if (owner !== undefined)
    new LedgerIdentity(file).set(parsed.cluster, {
      identity: owner,
      unnamed: false,
      adopted: null,
    });
  const stop = new AbortController();
  const events: ActEvent[] = [];
  const acting = actingOf({
    settings: parsed,
    log,
    file,
    systems,
    ledger: new Ledger(file),
    heardAs: 'executor-1',
    store: store ?? { proposals: () => [], doubtOf: () => undefined },
    clock: () => new Date(),
    onEvent: (it) => events.push(it),
  });
  const ended = acting.act(
    partitionOf(parsed.cluster, PARTITIONS),
    () => Promise.resolve(),
    stop.signal,
  );
  try {
    await waitFor(() => enough(events), { what: 'the executor to have worked', timeoutMs: 4000 });
  } finally {
    stop.abort();
    await ended;
    await log.close();
    file.close();
  }
  return { events };
}

/** What became of a Vpc beside an executor with these settings, and what was reported. */
async function besideAnExecutor(
  executor: object,
  enough: (events: readonly ActEvent[]) => boolean,
  owner?: ClusterIdentity,
): Promise<{ readonly finalizers: readonly string[]; readonly events: readonly ActEvent[] }> {
  const kubernetes = memoryKubernetes();
  kubernetes.put({ kind: 'Vpc', metadata: { name: 'tenant' } });
  kubernetes.put({
    kind: 'Vpc',
    metadata: {
      name: 'going',
      finalizers: ['kubeovn.io/kube-ovn-controller'],
      deletionTimestamp: '2026-01-01T00:00:00Z',
    },
  });
  kubernetes.put({
    kind: 'Pod',
    metadata: { name: 'web-0', namespace: 'shop' },
    spec: { schedulingGates: [{ name: GATE }] },
  });
  const northbound = Object.assign(await emptyNorthbound(), { identity: async () => 'nb:here' });
  const { events } = await acted({ kubernetes, northbound }, { executor }, enough, {
    ...(owner !== undefined && { owner }),
  });
  return { finalizers: kubernetes.objects('Vpc')[0]?.metadata.finalizers ?? [], events };
}

test('the guard of Vpcs runs beside what is removed where the settings want it, and ends with it', async () => {
  const { finalizers, events } = await besideAnExecutor(
    { guard: { vpcFinalizer: true } },
    (reported) => reported.some(({ type }) => type === 'guarded'),
  );
  expect(finalizers).toEqual([VPC_GUARD]);
  expect(events).toContainEqual({ type: 'guarded', vpc: 'tenant', did: 'add' });
});

test('no guard writes where others answer than those the ledger belongs to, and that is reported', async () => {
  const { finalizers, events } = await besideAnExecutor(
    { guard: { vpcFinalizer: true } },
    (reported) =>
      reported.filter((it) => it.type === 'other-cluster' && it.what === 'guard').length > 1,
    { northbound: 'nb:another', kubernetes: 'another' },
  );
  expect(finalizers).toEqual([]);
  expect(events.filter(({ type }) => type === 'guarded')).toEqual([]);
  expect(events).toContainEqual({
    type: 'guard-failed',
    error: expect.stringMatching(/ledger of cluster .* belongs to the Northbound nb:another/),
  });
});

test('by default it holds no Vpc, and says which deletions wait all the same, until it ends', async () => {
  const { finalizers, events } = await besideAnExecutor(
    {},
    (reported) =>
      reported.some(({ type }) => type === 'guard-waits') &&
      reported.some(({ type }) => ['turn', 'waits', 'failed'].includes(type)),
  );
  expect(finalizers).toEqual([]);
  expect(events.filter(({ type }) => type === 'guard-waits')).toEqual([
    {
      type: 'guard-waits',
      waiting: [
        expect.objectContaining({ name: 'going', finalizers: ['kubeovn.io/kube-ovn-controller'] }),
      ],
    },
    { type: 'guard-waits', waiting: [] },
  ]);
});

test('a finding that the store says is in doubt keeps what it is about', async () => {
  const systems = await recordedSystems('leaky');
  const finding = (await recordedProposals('leaky')).find(
    ({ rule }) => rule === 'orphaned-port-group',
  )!;
  const doubted: string[] = [];
  const store: ActingParts['store'] = {
    proposals: () => [finding],
    doubtOf: (partition, id) => {
      doubted.push(`${partition} ${id}`);
      return 'another may hold it';
    },
  };
  const { events } = await acted(
    { ...systems, kubernetes: withLeader(systems.kubernetes) },
    { cluster: RECORDED_CLUSTER, executor: OPEN_LIMITS },
    (reported) => reported.some((it) => it.type === 'action' && it.action.state !== 'observed'),
    { store },
  );
  expect(
    events.flatMap((it) => (it.type === 'action' ? [it.action] : [])).map(({ reason }) => reason),
  ).toContain('it is in doubt: another may hold it; nothing was removed');
  expect(doubted).toContain(`${partitionOf(RECORDED_CLUSTER, PARTITIONS)} ${finding.id}`);
  expect(systems.northbound.database.rows('Port_Group').has(finding.subject.uid)).toBe(true);
});

test('what the policies refused is counted beside it, whatever the settings', async () => {
  const { events } = await besideAnExecutor({}, (reported) =>
    reported.some(({ type }) => type === 'guard-denials'),
  );
  expect(events).toContainEqual({
    type: 'guard-denials',
    denials: new Map(POLICIES.map(({ id }) => [id, 0])),
  });
});

test('the gates of pods are guarded beside it where the settings want it, and nowhere else', async () => {
  const { events } = await besideAnExecutor({ guard: { podGates: true } }, (reported) =>
    reported.some(({ type }) => type === 'pod-gate'),
  );
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'pod-gate',
      did: 'held',
      pod: expect.objectContaining({ name: 'web-0' }),
    }),
  );
  expect(events.findLast(({ type }) => type === 'pods-held')).toEqual({
    type: 'pods-held',
    held: [],
  });
  const without = await besideAnExecutor({}, (reported) =>
    reported.some(({ type }) => ['turn', 'waits', 'failed'].includes(type)),
  );
  expect(without.events.filter(({ type }) => type.startsWith('pod'))).toEqual([]);
});
