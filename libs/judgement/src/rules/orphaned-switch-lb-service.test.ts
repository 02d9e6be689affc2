import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-switch-lb-service';

const service = (metadata = {}, spec = { clusterIP: 'None' }, key = 'shop/slr-web') =>
  object('Service', key, {
    metadata: { annotations: { 'ovn.kubernetes.io/switch_lb_vip': '10.1.0.9' }, ...metadata },
    spec,
  });

testRule(rule, {
  healthy: {
    'its rule exists': world(service(), object('SwitchLBRule', 'web')),
    'it is called otherwise': world(service({}, undefined, 'shop/web')),
    'it only has the name': world(service({ annotations: {} })),
    'it has an address of its own': world(service({}, { clusterIP: '10.96.0.4' })),
    'somebody else owns it': world(
      service({ ownerReferences: [{ kind: 'Widget', name: 'w', uid: 'w' }] }),
    ),
    'it is being deleted': world(service({ deletionTimestamp: '2026-01-01T00:00:00Z' })),
  },
  violation: {
    'its rule is gone': {
      given: world(service(), object('SwitchLBRule', 'slr-web')),
      says: 'Service shop/slr-web was made for SwitchLBRule web, which no longer exists, and still has 10.1.0.9 answered',
    },
  },
});
