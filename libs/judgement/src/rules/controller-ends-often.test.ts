import { pod } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './controller-ends-often';

const ended = {
  exitCode: 1,
  reason: 'Error',
  startedAt: '2026-01-01T04:00:00Z',
  finishedAt: '2026-01-01T04:25:30Z',
};
const flapping = {
  restartCount: 10,
  state: { running: { startedAt: '2026-01-01T04:25:40Z' } },
  lastState: { terminated: ended },
};

const controller = (status: Record<string, unknown>, metadata: Record<string, unknown> = {}) =>
  pod('kube-system/kube-ovn-controller-1', {
    status: {
      phase: 'Running',
      containerStatuses: [{ name: 'kube-ovn-controller', ready: true, ...status }],
    },
    metadata: { creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
  });
const lastRun = (from: string, to: string) => ({
  ...flapping,
  lastState: {
    terminated: {
      ...ended,
      startedAt: `2026-01-01T${from}:00Z`,
      finishedAt: `2026-01-01T${to}:00Z`,
    },
  },
});
const served = (creationTimestamp: string) =>
  pod('shop/web', {
    metadata: { creationTimestamp, annotations: { 'ovn.kubernetes.io/allocated': 'true' } },
  });
const says =
  "container kube-ovn-controller of Kube-OVN's controller kube-system/kube-ovn-controller-1 ended 10 times since 2026-01-01T00:00:00Z, the last time at 2026-01-01T04:25:30Z after 25 minutes with exit code 1 (Error)";

testRule(rule, {
  healthy: {
    'it runs': world(controller({ restartCount: 0 })),
    'it ended a few times, as while the databases started': world(
      controller({ ...flapping, restartCount: 9 }),
    ),
    'its ends are those of years': world(
      controller(flapping, { creationTimestamp: '2024-01-01T00:00:00Z' }),
    ),
    'it ran for more than an hour the last time': world(controller(lastRun('03:00', '04:00'))),
    'it ended at once: that is a crash loop': world(controller(lastRun('04:00', '04:09'))),
    'it waits to be started again': world(
      controller({ ...flapping, state: { waiting: { reason: 'CrashLoopBackOff' } } }),
    ),
    'it is not said how long it ran': world(
      controller({ ...flapping, lastState: { terminated: { exitCode: 1 } } }),
    ),
    'a pod that was made an hour later has its address': world(
      controller(flapping),
      served('2026-01-01T05:26:00Z'),
    ),
    'it is being deleted': world(
      controller(flapping, { deletionTimestamp: '2026-01-01T05:00:00Z' }),
    ),
    'it is another pod': world(
      pod('shop/web', {
        status: { containerStatuses: [{ name: 'a', ...flapping }] },
        metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
      }),
    ),
  },
  violation: {
    'it ends every half an hour': { given: world(controller(flapping)), summary: says },
    'no pod was made since': {
      given: world(controller(flapping), served('2026-01-01T05:20:00Z')),
      summary: says,
    },
    'it worked for ten minutes, no longer': {
      given: world(controller(lastRun('04:15', '04:25'))),
      summary: says.replace('04:25:30Z after 25 minutes', '04:25:00Z after 10 minutes'),
    },
    'it is ended for its memory': {
      given: world(
        controller({
          ...flapping,
          lastState: { terminated: { ...ended, exitCode: 137, reason: 'OOMKilled' } },
        }),
      ),
      summary: says.replace('exit code 1 (Error)', 'exit code 137 (OOMKilled)'),
    },
    'nothing says how it ended': {
      given: world(
        controller({
          ...flapping,
          lastState: { terminated: { ...ended, exitCode: undefined, reason: undefined } },
        }),
      ),
      summary: says.replace('exit code 1 (Error)', 'exit code unknown'),
    },
  },
});
