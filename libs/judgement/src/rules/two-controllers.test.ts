import { object, pod } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './two-controllers';

const deployment = (namespace: string, replicas = 1, metadata: Record<string, unknown> = {}) =>
  object('Deployment', `${namespace}/kube-ovn-controller`, { spec: { replicas }, metadata });
const running = (namespace: string, phase = 'Running') =>
  pod(`${namespace}/kube-ovn-controller-1`, { status: { phase } });
const one = [deployment('kube-system'), running('kube-system')];

testRule(rule, {
  healthy: {
    'there is one': world(...one),
    'the other has no pod': world(...one, deployment('kube-ovn')),
    'the pod of the other does not run': world(
      ...one,
      deployment('kube-ovn'),
      running('kube-ovn', 'Pending'),
    ),
    'the other is scaled to nothing': world(...one, deployment('kube-ovn', 0), running('kube-ovn')),
    'the other is being deleted': world(
      ...one,
      deployment('kube-ovn', 1, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      running('kube-ovn'),
    ),
    'both share one Lease': world(
      ...one,
      object('Deployment', 'kube-system/kube-ovn-controller-b', { spec: { replicas: 1 } }),
    ),
    'the other is something else': world(
      ...one,
      object('Deployment', 'kube-ovn/web', { spec: { replicas: 1 } }),
      running('kube-ovn'),
    ),
  },
  violation: {
    'both run': {
      given: world(...one, deployment('kube-ovn'), running('kube-ovn')),
      summary:
        "Kube-OVN's controller runs in 2 namespaces: kube-ovn/kube-ovn-controller, kube-system/kube-ovn-controller",
      concerns: ['kube-ovn-controller'],
    },
  },
});
