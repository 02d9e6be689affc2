import { object, pod } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './controller-not-leading';

const NAME = 'kube-system/kube-ovn-controller';
const deployment = (replicas?: number, metadata: Record<string, unknown> = {}) =>
  object('Deployment', NAME, { spec: replicas === undefined ? {} : { replicas }, metadata });
const lease = (holderIdentity?: string) =>
  object('Lease', NAME, { spec: holderIdentity === undefined ? {} : { holderIdentity } });
const running = (phase = 'Running') => pod(`${NAME}-1`, { status: { phase } });

testRule(rule, {
  healthy: {
    'it leads': world(deployment(1), lease('one'), running()),
    'there is no Lease': world(deployment(1), running()),
    'one outside of the cluster leads': world(deployment(0), lease('one')),
    'it is being deleted': world(
      deployment(1, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      lease(''),
    ),
    'it is another Deployment': world(
      object('Deployment', 'kube-system/kube-ovn-monitor', { spec: { replicas: 1 } }),
      lease(''),
    ),
  },
  violation: {
    'none of its pods leads': {
      given: world(deployment(), lease(''), running()),
      summary: `Kube-OVN's controller ${NAME} does not work: none of its 1 running pods holds Lease ${NAME}`,
      concerns: ['kube-ovn-controller'],
    },
    'nobody ever led': {
      given: world(deployment(1), lease(), running()),
      summary: `Kube-OVN's controller ${NAME} does not work: none of its 1 running pods holds Lease ${NAME}`,
    },
    'it is scaled to nothing': {
      given: world(deployment(0), lease('')),
      summary: `Kube-OVN's controller ${NAME} does not work: it is scaled to nothing`,
    },
    'no pod of it runs, though the last one still holds the Lease': {
      given: world(deployment(1), lease('one'), running('Pending')),
      summary: `Kube-OVN's controller ${NAME} does not work: no pod of it runs`,
    },
    'only one in another namespace runs': {
      given: world(deployment(1), lease('one'), pod('other/kube-ovn-controller-1')),
      summary: `Kube-OVN's controller ${NAME} does not work: no pod of it runs`,
    },
  },
});
