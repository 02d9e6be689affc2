import { pod } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './controller-crash-loop';

const controller = (status: Record<string, unknown>, metadata: Record<string, unknown> = {}) =>
  pod('kube-system/kube-ovn-controller-1', {
    status: {
      phase: 'Running',
      containerStatuses: [{ name: 'kube-ovn-controller', ready: false, ...status }],
    },
    metadata,
  });
const failed = { terminated: { exitCode: 255, reason: 'Error' } };
const waits = { restartCount: 4, state: { waiting: { reason: 'CrashLoopBackOff' } } };

testRule(rule, {
  healthy: {
    'it runs': world(controller({ ready: true, restartCount: 0 })),
    'it ended often, and is ready': world(
      controller({ ready: true, restartCount: 9, lastState: failed }),
    ),
    'it starts after its first end': world(controller({ restartCount: 1, lastState: failed })),
    'it starts after it was ended in order': world(
      controller({ restartCount: 5, lastState: { terminated: { exitCode: 0 } } }),
    ),
    'nothing is said of its containers': world(pod('kube-system/kube-ovn-controller-1')),
    'it is being deleted': world(controller(waits, { deletionTimestamp: '2026-01-01T00:00:00Z' })),
    'it is another pod': world(
      pod('shop/web', { status: { containerStatuses: [{ name: 'a', ...waits }] } }),
    ),
  },
  violation: {
    'it waits to be started again': {
      given: world(controller({ ...waits, lastState: failed })),
      summary:
        "container kube-ovn-controller of Kube-OVN's controller kube-system/kube-ovn-controller-1 ended 4 times, last with exit code 255 (Error)",
    },
    'nothing says how it ended': {
      given: world(controller(waits)),
      summary:
        "container kube-ovn-controller of Kube-OVN's controller kube-system/kube-ovn-controller-1 ended 4 times",
    },
    'it runs for a moment': {
      given: world(
        controller({ restartCount: 3, lastState: { terminated: { exitCode: 2, reason: '' } } }),
      ),
      summary:
        "container kube-ovn-controller of Kube-OVN's controller kube-system/kube-ovn-controller-1 ended 3 times, last with exit code 2",
    },
  },
});
