import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './subnet-named-like-vpc';

const LEAVING = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
const subnet = (spec: Record<string, unknown> = {}) => object('Subnet', 'web', { spec });

testRule(rule, {
  healthy: {
    'no Vpc has its name': world(subnet({ vpc: 'tenant' }), object('Vpc', 'tenant')),
    'it is of another CNI and has no switch': world(
      subnet({ provider: 'macvlan.kube-system' }),
      object('Vpc', 'web'),
    ),
    'it is being deleted': world(object('Subnet', 'web', LEAVING), object('Vpc', 'web')),
    'the Vpc is being deleted': world(subnet(), object('Vpc', 'web', LEAVING)),
  },
  violation: {
    'a Vpc has its name': {
      given: world(subnet({ vpc: 'ovn-cluster' }), object('Vpc', 'web')),
      summary: 'Subnet web has the name of Vpc web: its switch and the router of the Vpc share it',
      concerns: ['web'],
    },
    'it is an attachment with a switch': {
      given: world(subnet({ provider: 'data.shop.ovn' }), object('Vpc', 'web')),
      summary: 'Subnet web has the name of Vpc web: its switch and the router of the Vpc share it',
    },
  },
});
