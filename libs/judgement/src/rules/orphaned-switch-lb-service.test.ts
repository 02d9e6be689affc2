import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-switch-lb-service';

const service = (metadata = {}, spec = { clusterIP: 'None' }, key = 'shop/slr-web') =>
  object('Service', key, {
    metadata: { annotations: { 'ovn.kubernetes.io/switch_lb_vip': '10.1.0.9' }, ...metadata },
    spec,
  });

const moved = (namespace: string, made = namespace) =>
  object('SwitchLBRule', 'web', {
    spec: { namespace },
    status: { service: `${made}/slr-web` },
  });

testRule(rule, {
  healthy: {
    'its rule exists': world(service(), object('SwitchLBRule', 'web')),
    'its rule has it in this namespace': world(service(), moved('shop')),
    'its rule moved, and has no other Service yet': world(service(), moved('pay', 'shop')),
    'it is called otherwise': world(service({}, undefined, 'shop/web')),
    'it only has the name': world(service({ annotations: {} })),
    'it has an address of its own': world(service({}, { clusterIP: '10.96.0.4' })),
    'somebody else owns it': world(
      service({ ownerReferences: [{ kind: 'Widget', name: 'w', uid: 'w' }] }),
    ),
    'it is being deleted': world(service({ deletionTimestamp: '2026-01-01T00:00:00Z' })),
  },
  violation: {
    'its rule moved to another namespace': {
      given: world(service(), moved('pay')),
      summary:
        'Service shop/slr-web was made for SwitchLBRule web, which has its Service in namespace pay now, and still has 10.1.0.9 answered',
      concerns: ['web'],
    },
    'its rule is gone': {
      given: world(service(), object('SwitchLBRule', 'slr-web')),
      summary:
        'Service shop/slr-web was made for SwitchLBRule web, which no longer exists, and still has 10.1.0.9 answered',
    },
  },
});
