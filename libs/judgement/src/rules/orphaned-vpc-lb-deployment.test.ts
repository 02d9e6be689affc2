import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-vpc-lb-deployment';

const LABELS = { app: 'vpc-a-lb', 'ovn.kubernetes.io/vpc_lb': 'true' };
const ANNOTATIONS = {
  'ovn.kubernetes.io/vpc': 'a',
  'ovn.kubernetes.io/logical_switch': 'apps',
  'k8s.v1.cni.cncf.io/networks': '[{"name": "ovn-vpc-lb", "default-route": ["203.0.113.1"]}]',
};
const deployment = ({
  metadata = {},
  labels = LABELS,
  annotations = ANNOTATIONS,
  key = 'kube-system/vpc-a-lb',
}: {
  metadata?: Record<string, unknown>;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  key?: string;
} = {}) =>
  object('Deployment', key, {
    metadata,
    spec: { template: { metadata: { labels, annotations } } },
  });

testRule(rule, {
  healthy: {
    'its Vpc exists': world(deployment(), object('Vpc', 'a')),
    'it is called otherwise': world(deployment({ key: 'kube-system/vpc-b-lb' })),
    'its pods are labelled otherwise': world(deployment({ labels: { app: 'vpc-a-lb' } })),
    'its pods name no Vpc': world(deployment({ annotations: {} })),
    'somebody else owns it': world(
      deployment({ metadata: { ownerReferences: [{ kind: 'Widget', name: 'w', uid: 'w' }] } }),
    ),
    'it is being deleted': world(
      deployment({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ),
  },
  unknown: { 'Vpcs are not listed': world(deployment()).unheardOf('Vpc') },
  violation: {
    'its Vpc is gone': {
      given: world(deployment(), object('Vpc', 'b')),
      summary: 'Deployment kube-system/vpc-a-lb was made for Vpc a, which no longer exists',
    },
  },
});
