import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-lb-deployment';

const LABELS = { app: 'lb-svc-web', namespace: 'shop', service: 'web' };
const deployment = (
  labels: Record<string, string> = LABELS,
  metadata = {},
  key = 'shop/lb-svc-web',
) => object('Deployment', key, { metadata, spec: { template: { metadata: { labels } } } });

const ofType = (type: string) => object('Service', 'shop/web', { spec: { type } });

testRule(rule, {
  healthy: {
    'its Service exists': world(deployment(), ofType('LoadBalancer')),
    'its Service does not say its type': world(deployment(), object('Service', 'shop/web')),
    'it is called otherwise': world(deployment(LABELS, {}, 'shop/web')),
    'its pods are labelled otherwise': world(
      deployment({}),
      deployment({ ...LABELS, service: 'db' }, {}, 'shop/lb-svc-cache'),
      deployment(LABELS, {}, 'other/lb-svc-web'),
    ),
    'somebody else owns it': world(
      deployment(LABELS, { ownerReferences: [{ kind: 'Widget', name: 'w', uid: 'w' }] }),
    ),
    'it is being deleted': world(deployment(LABELS, { deletionTimestamp: '2026-01-01T00:00:00Z' })),
  },
  violation: {
    'its Service is of another type now': {
      given: world(deployment(), ofType('ClusterIP')),
      summary:
        'Deployment shop/lb-svc-web was made for Service shop/web, which is of type ClusterIP now',
      concerns: ['web'],
    },
    'its Service is gone': {
      given: world(deployment(), object('Service', 'other/web')),
      summary: 'Deployment shop/lb-svc-web was made for Service shop/web, which no longer exists',
    },
  },
});
