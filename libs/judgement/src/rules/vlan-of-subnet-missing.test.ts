import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './vlan-of-subnet-missing';

const subnet = (spec: Record<string, unknown>, metadata: Record<string, unknown> = {}) =>
  object('Subnet', 'web', { spec, metadata });

testRule(rule, {
  healthy: {
    'the VLAN exists': world(subnet({ vlan: 'v7' }), object('Vlan', 'v7')),
    'it is being deleted itself: that is another finding': world(
      subnet({ vlan: 'v7' }, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
    'it is no underlay': world(subnet({}), subnet({ vlan: '' })),
  },
  unknown: { 'VLANs are not listed': world(subnet({ vlan: 'v7' })).unheardOf('Vlan') },
  violation: {
    'the VLAN is gone': {
      given: world(subnet({ vlan: 'v7' }), object('Vlan', 'v8')),
      summary: 'Subnet web uses Vlan v7, which does not exist',
    },
  },
});
