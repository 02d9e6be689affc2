import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectEvent } from '@ovn-steward/systems/kubernetes/kubernetes';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { GuardEvent } from './guard-event';
import { waitingReporter } from './report-waiting';
import type { WaitingVpc } from './waiting';

const vpc = (subnets: readonly string[] | undefined): WaitingVpc => ({
  name: 'tenant',
  uid: 'u',
  since: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
  subnets,
});

/**
 * What is reported of the Vpc, step by step, each once more for good measure; with the Events on
 * it a little later.
 */
async function reported(
  ...steps: readonly (WaitingVpc | undefined)[]
): Promise<{ readonly events: readonly GuardEvent[]; readonly on: readonly ObjectEvent[] }> {
  const kubernetes = memoryKubernetes();
  const events: GuardEvent[] = [];
  const stop = new AbortController();
  const reporter = waitingReporter(
    { kubernetes, reportAfterMs: 100, onEvent: (it) => events.push(it) },
    stop.signal,
  );
  for (const it of steps) [it, it].forEach((now) => reporter.report('tenant', now));
  await sleep(250);
  stop.abort();
  reporter.end();
  return { events, on: kubernetes.events };
}

test('each change is reported once, with all that wait, and none at the end', async () => {
  const { events } = await reported(vpc(['a', 'b']), vpc(['b']), undefined);
  expect(
    events.map((it) =>
      it.type === 'guard-waits' ? it.waiting.map(({ subnets }) => subnets) : it.type,
    ),
  ).toEqual([[['a', 'b']], [['b']], []]);
  expect((await reported(vpc(['a']))).events.at(-1)).toEqual({ type: 'guard-waits', waiting: [] });
});

test.each<
  [title: string, steps: readonly (WaitingVpc | undefined)[], eventNotes: readonly string[]]
>([
  [
    'subnets, at once',
    [vpc(['a', 'b']), undefined],
    ['The deletion waits for 2 subnets that name this VPC: a, b. Delete them first.'],
  ],
  [
    'finalizers, after a while',
    [vpc(['a']), vpc([])],
    [
      'The deletion waits for a subnet that names this VPC: a. Delete it first.',
      'The deletion waits, though no subnet names this VPC, for whoever set its finalizers: kubeovn.io/kube-ovn-controller. What they wait for: steward doctor vpc/tenant',
    ],
  ],
  ['nothing, when it went before that', [vpc([]), undefined], []],
  ['nothing, while nobody knows', [vpc(undefined)], []],
])('on the Vpc is reported %s', async (_, steps, eventNotes) =>
  expect((await reported(...steps)).on.map(({ note: comment }) => comment)).toEqual(eventNotes),
);

test.each([
  ['subnets', vpc(['a'])],
  ['finalizers', vpc([])],
])('where no Event could be written about %s, that is said', async (_, waits) => {
  const kubernetes = memoryKubernetes();
  const errors: string[] = [];
  const stop = new AbortController();
  kubernetes.forbidden.add('writeEvent Event');
  const onEvent = (it: GuardEvent) => it.type === 'guard-failed' && errors.push(it.error);
  const reporter = waitingReporter({ kubernetes, reportAfterMs: 10, onEvent }, stop.signal);
  reporter.report('tenant', waits);
  await waitFor(() => errors.length > 0, { what: 'it to be said', timeoutMs: 10_000 });
  expect(errors).toEqual([expect.stringContaining('the right to create events')]);
  stop.abort();
});
