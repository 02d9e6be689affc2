import { ascendingBy } from '@ovn-steward/shared/compare';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { ClusterView } from '@ovn-steward/analyzer';
import { EXECUTOR_METRICS } from '@ovn-steward/executor';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { pictureWith } from '../testing/picture';
import { observeAt } from '../testing/truth';
import type { Metrics } from './metrics';
import { createMetrics, METRICS } from './metrics';

const NOW = Date.parse('2030-01-01T00:00:00Z');

let engine: Engine;
let metrics: Metrics;
beforeAll(async () => {
  engine = await observeAt('leaky');
});
beforeEach(() => {
  metrics = createMetrics(
    '1.2.3',
    new Map([
      ['ovn-nb', 'ovn-nb'],
      ['recording:a/b', 'kubernetes'],
    ]),
    { read: () => new Map([[0.99, 0.25]]) },
    Settings.parse({}),
  );
});

/** Every sample: `name{label="value"}` → number. */
async function samples(changed: Partial<ClusterView> = {}): Promise<Map<string, number>> {
  const text = await metrics.text({ picture: engine, ready: false, ...changed }, NOW);
  return new Map(
    text
      .split('\n')
      .filter((it) => it !== '' && !it.startsWith('#'))
      .map((it) => [it.slice(0, it.lastIndexOf(' ')), Number(it.slice(it.lastIndexOf(' ')))]),
  );
}

test('every series it describes is there, by its name, kind and help, and no other', async () => {
  const text = await metrics.text({ picture: engine, ready: true }, NOW);
  const reported = [...text.matchAll(/^# HELP (\S+) (.+)\n# TYPE \S+ (\S+)$/gm)].map(
    ([, name, help, type]) => ({ name, help, type }),
  );
  const defined = METRICS.map(({ name, help, type }) => ({ name, help, type }));
  const byName = ascendingBy((it: { name?: string | undefined }) => it.name!);
  expect(reported.sort(byName)).toEqual(defined.sort(byName));
  for (const { name, type, labels } of METRICS) {
    expect(name).toMatch(/^steward_[a-z_]+$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    for (const label of labels) expect(label).toMatch(/^[a-z]+$/);
  }
});

test('findings are counted by rule, class, state and severity; a rule without any has 0', async () => {
  const all = await samples();
  const counted = [...all].filter(([name]) => name.startsWith('steward_findings{'));
  expect(counted.reduce((sum, [, value]) => sum + value, 0)).toBe(engine.findings().length);
  const leaked = engine
    .findings()
    .filter((it) => it.rule === 'leaked-ip' && it.state === 'suspected').length;
  expect(leaked).toBeGreaterThan(0);
  expect(
    all.get('steward_findings{rule="leaked-ip",class="leak",state="suspected",severity="warning"}'),
  ).toBe(leaked);
  expect(counted.length).toBeGreaterThanOrEqual(2 * RULES.length);
  expect(counted.some(([, value]) => value === 0)).toBe(true);
});

test('causes are counted by class, and one that took several things along is one', async () => {
  const all = await samples();
  const garbage = engine.findings().filter((it) => it.class === 'garbage');
  const causes = all.get('steward_finding_causes{class="garbage"}')!;
  expect(causes).toBeGreaterThan(1);
  expect(causes).toBeLessThan(garbage.length / 2);
  expect(all.get('steward_finding_causes{class="stuck"}')).toBe(0);
});

test('what is no longer true is not reported again', async () => {
  await samples();
  const later = await samples({
    picture: pictureWith(engine, { findings: () => [], unknowns: () => [], streams: () => [] }),
    ready: true,
  });
  expect(
    [...later].filter(
      ([name, value]) =>
        /^steward_(findings|finding_causes|unknowns|watermark)/.test(name) && value !== 0,
    ),
  ).toEqual([]);
  expect(later.get('steward_ready')).toBe(1);
});

test('a withheld rule counts as one unknown and says so', async () => {
  const subject = engine.findings()[0]!.subject;
  const unknowns = [
    { rule: 'leaked-ip', subject: null, reason: 'x' },
    { rule: 'leaked-vip', subject, reason: 'y' },
    { rule: 'leaked-vip', subject, reason: 'z' },
  ];
  const all = await samples({
    picture: pictureWith(engine, {
      findings: () => [],
      unknowns: () => unknowns,
      streams: () => [],
    }),
  });
  expect([
    all.get('steward_unknowns{rule="leaked-ip"}'),
    all.get('steward_rule_withheld{rule="leaked-ip"}'),
  ]).toEqual([1, 1]);
  expect([
    all.get('steward_unknowns{rule="leaked-vip"}'),
    all.get('steward_rule_withheld{rule="leaked-vip"}'),
  ]).toEqual([2, 0]);
});

test('one state of the pair is 1 and the others are 0', async () => {
  const states = async (is: 'paired' | 'unknown' | 'mispaired'): Promise<unknown[]> => {
    const picture = pictureWith(engine, { pairing: () => ({ ...engine.pairing(), is }) });
    const all = await samples({ picture });
    return [...all].filter(([name]) => name.startsWith('steward_pairing'));
  };
  const series = (paired: number, unknown: number, mispaired: number): unknown[] => [
    ['steward_pairing{state="paired"}', paired],
    ['steward_pairing{state="unknown"}', unknown],
    ['steward_pairing{state="mispaired"}', mispaired],
  ];
  expect(engine.pairing().is).toBe('paired');
  expect((await samples()).get('steward_pairing{state="paired"}')).toBe(1);
  expect(await states('unknown')).toEqual(series(0, 1, 0));
  expect(await states('mispaired')).toEqual(series(0, 0, 1));
});

test('a source that never reported is not complete; the age of a stream is in seconds', async () => {
  const nb = engine.streams().find((it) => it.stream === 'ovn-nb')!;
  const all = await samples({ picture: pictureWith(engine, { streams: () => [nb] }) });
  expect([
    all.get('steward_source_complete{source="ovn-nb"}'),
    all.get('steward_source_complete{source="kubernetes"}'),
  ]).toEqual([1, 0]);
  expect(all.get('steward_watermark_age_seconds{source="ovn-nb",stream="ovn-nb"}')).toBe(
    (NOW - Date.parse(nb.observedThrough)) / 1000,
  );
  expect(all.get('steward_event_loop_delay_seconds{quantile="0.99"}')).toBe(0.25);
  expect(all.get('steward_build_info{version="1.2.3"}')).toBe(1);
});

test('events and batches are counted under the source, not under where it was read from', async () => {
  metrics.onEvent({
    type: 'published',
    source: 'recording:a/b',
    stream: 'kubernetes/Pod',
    changes: 5,
    onlyHeartbeats: false,
    epoch: 1,
    firstSeq: 1,
    lastSeq: 5,
  });
  metrics.onEvent({ type: 'source-failed', source: 'ovn-nb', error: 'gone', retryInMs: 500 });
  metrics.onEvent({ type: 'publish-failed', source: 'ovn-nb', error: 'full', retryInMs: 500 });
  metrics.onBatch({ partition: 0, records: 5, deadLetters: 2, seconds: 0.3, next: 5n });
  const all = await samples();
  expect(all.get('steward_collector_changes_published_total{source="kubernetes"}')).toBe(5);
  expect(all.get('steward_collector_changes_published_total{source="ovn-nb"}')).toBe(0);
  expect(all.get('steward_collector_source_failures_total{source="ovn-nb"}')).toBe(1);
  expect(all.get('steward_collector_source_failures_total{source="kubernetes"}')).toBe(0);
  expect(all.get('steward_collector_publish_retries_total{source="ovn-nb"}')).toBe(1);
  expect(all.get('steward_analyzer_records_total')).toBe(5);
  expect(all.get('steward_dead_letters_total')).toBe(2);
  expect(all.get('steward_analyzer_batch_duration_seconds_count')).toBe(1);
  expect(all.get('steward_analyzer_batch_duration_seconds_bucket{le="0.1"}')).toBe(0);
  expect(all.get('steward_analyzer_batch_duration_seconds_bucket{le="0.5"}')).toBe(1);
});

const HOLD = {
  scope: { rule: 'leaked-ip' },
  except: [],
  reason: 'maintenance',
  by: 'anna',
  since: '2030-01-01T00:00:00Z',
  until: null,
  heardBy: [],
};

test('what the executor beside it does and has is reported, and nothing of it once it has ended', async () => {
  const action = {
    rule: 'leaked-ip',
    action: 'delete-ip',
    state: 'done',
    code: 'done',
    claimedAt: '2030-01-01T00:00:00Z',
    endedAt: '2030-01-01T00:00:01Z',
  } as ActionRecord;
  metrics.onReading({
    proposals: () => [{ cluster: 'c', rule: 'leaked-ip', count: 4 }],
    openClaims: () => 2,
    unsettled: () => [],
    unpublished: () => 3,
    kept: () => [],
    holds: () => [HOLD],
  });
  metrics.onExecutor({ type: 'action', action });
  metrics.onExecutor({ type: 'backup-newest', takenAt: new Date(5000) });
  metrics.onExecutor({
    type: 'batch',
    partition: 0,
    first: 0n,
    last: 1n,
    records: 2,
    deadLetters: 1,
    newer: 0,
    seconds: 1,
    proposed: [],
    withdrawn: [],
  });
  const reported = [
    'executor_actions_total{rule="leaked-ip",action="delete-ip",state="done",code="done"}',
    'executor_proposals{cluster="c",rule="leaked-ip"}',
    'executor_open_claims',
    'executor_outbox',
    'executor_holds{scope="rule"}',
    'executor_holds{scope="cluster"}',
    'executor_backup_last_success_timestamp_seconds',
    'executor_records_total',
    'dead_letters_total',
  ];
  const all = await samples();
  expect(reported.map((it) => all.get(`steward_${it}`))).toEqual([1, 4, 2, 3, 1, 0, 5, 2, 1]);
  metrics.onReading(undefined);
  const later = await samples();
  expect(reported.map((it) => later.get(`steward_${it}`))).toEqual([
    1,
    undefined,
    0,
    0,
    0,
    0,
    5,
    2,
    1,
  ]);
});

test('it has every series of the executor, whichever names they share', () => {
  const named = new Set(METRICS.map((it) => it.name));
  expect(Object.values(EXECUTOR_METRICS).filter((it) => !named.has(it.name))).toEqual([]);
});

test('what the guards of the executor beside it do is counted, and what waits is reported until it does not', async () => {
  metrics.onExecutor({ type: 'guarded', vpc: 'tenant', did: 'add' });
  metrics.onExecutor({
    type: 'guard-waits',
    waiting: [
      { name: 'tenant', uid: 'u', since: '2030-01-01T00:00:00Z', finalizers: [], subnets: ['web'] },
    ],
  });
  metrics.onExecutor({ type: 'guard-denials', denials: new Map([['vpc-with-subnets', 3]]) });
  metrics.onExecutor({
    type: 'pods-held',
    held: [{ namespace: 'shop', name: 'web-0', uid: 'p', heldMs: 2500 }],
  });
  metrics.onExecutor({ type: 'guard-failed', error: 'it is down' });
  metrics.onExecutor({ type: 'trouble', what: 'none of theirs' });
  const all = await samples();
  const reported = [
    'guard_finalizers_total{did="add"}',
    'waiting_vpc_deletions',
    'guard_denials{policy="vpc-with-subnets"}',
    'held_pods',
    'held_pod_age_seconds',
    'guard_failures_total',
  ];
  expect(reported.map((it) => all.get(`steward_executor_${it}`))).toEqual([1, 1, 3, 1, 2.5, 1]);
  metrics.onExecutor({ type: 'guard-waits', waiting: [] });
  metrics.onExecutor({ type: 'pods-held', held: [] });
  const later = await samples();
  expect([
    later.get('steward_executor_waiting_vpc_deletions'),
    later.get('steward_executor_held_pods'),
  ]).toEqual([0, 0]);
});
