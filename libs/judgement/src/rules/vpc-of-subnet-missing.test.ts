import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './vpc-of-subnet-missing';

const subnet = (spec: Record<string, unknown>, metadata: Record<string, unknown> = {}) =>
  object('Subnet', 'web', { spec, metadata });

testRule(rule, {
  healthy: {
    'the VPC exists': world(subnet({ vpc: 'tenant' }), object('Vpc', 'tenant')),
    'it is being deleted itself': world(
      subnet({ vpc: 'tenant' }, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
    "it names none, and so is the default VPC's": world(subnet({}), subnet({ vpc: '' })),
  },
  unknown: { 'VPCs are not listed': world(subnet({ vpc: 'tenant' })).unheardOf('Vpc') },
  violation: {
    'the VPC is gone': {
      given: world(subnet({ vpc: 'tenant' }), object('Vpc', 'other')),
      summary: 'Subnet web belongs to Vpc tenant, which does not exist',
    },
  },
});
