import { createMeter } from '@ovn-steward/service/meter/meter';
import { EXECUTOR_SERVICE_METRICS } from './metrics';
import type { ActEvent } from '../work/act-options';
import { countGuards } from './count-guards';

const waits = (name: string, secondsAgo: number) => ({
  name,
  uid: name,
  since: new Date(Date.now() - secondsAgo * 1000).toISOString(),
  finalizers: [],
  subnets: ['web'],
});
const pod = { namespace: 'shop', name: 'web-0', uid: 'p' };

/** What is reported after each of these. */
function counting(): {
  report(...events: readonly ActEvent[]): void;
  value(name: string): Promise<number>;
} {
  const meter = createMeter(EXECUTOR_SERVICE_METRICS);
  const count = countGuards(meter);
  return {
    report: (...events) => events.forEach(count),
    value: async (name) =>
      Number(
        (await meter.text())
          .split('\n')
          .find((it) => it.startsWith(`steward_executor_${name} `))
          ?.split(' ')[1],
      ),
  };
}

test('counts what waits, reports the age of the oldest at the scrape, and forgets what went', async () => {
  const { report, value } = counting();
  report({ type: 'guard-waits', waiting: [waits('a', 60), waits('b', 3600)] });
  expect(await value('waiting_vpc_deletions')).toBe(2);
  expect(await value('waiting_vpc_deletion_age_seconds')).toBeCloseTo(3600, -1);
  report({ type: 'guard-waits', waiting: [] });
  expect([
    await value('waiting_vpc_deletions'),
    await value('waiting_vpc_deletion_age_seconds'),
  ]).toEqual([0, 0]);
});

test('counts held pods and the age of the oldest, and forgets those that were let go', async () => {
  const { report, value } = counting();
  report({
    type: 'pods-held',
    held: [
      { ...pod, heldMs: 2500 },
      { ...pod, uid: 'q', heldMs: 9000 },
    ],
  });
  expect([await value('held_pods'), await value('held_pod_age_seconds')]).toEqual([2, 9]);
  report({ type: 'pods-held', held: [] });
  expect([await value('held_pods'), await value('held_pod_age_seconds')]).toEqual([0, 0]);
});

test('counts finalizers, gates, refusals and failures, and nothing that is not the guards’', async () => {
  const { report, value } = counting();
  report(
    { type: 'guarded', vpc: 'a', did: 'add' },
    { type: 'guarded', vpc: 'a', did: 'take-off' },
    { type: 'guard-denials', denials: new Map([['vpc-with-subnets', 7]]) },
    { type: 'guard-failed', error: 'it is down' },
    { type: 'guard-failed', error: 'it is down' },
    { type: 'pod-gate', did: 'timed-out', pod: { ...pod, heldMs: 1 }, reason: 'x' },
    { type: 'trouble', what: 'none of theirs' },
  );
  const reported = [
    'guard_finalizers_total{did="add"}',
    'guard_finalizers_total{did="take-off"}',
    'guard_denials{policy="vpc-with-subnets"}',
    'guard_failures_total',
    'pod_gates_total{did="timed-out"}',
  ];
  expect(await Promise.all(reported.map(value))).toEqual([1, 1, 7, 2, 1]);
});
