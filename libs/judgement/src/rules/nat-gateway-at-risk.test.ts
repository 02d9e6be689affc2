import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './nat-gateway-at-risk';

const gateway = (vpc = 'tenant', metadata: Record<string, unknown> = {}) =>
  object('VpcNatGateway', 'nat-1', { metadata, spec: { vpc, subnet: 'tenant-a' } });
const controller = (...flags: string[]) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { replicas: 1, template: { spec: { flags, release: 'v1.14.41' } } },
  });
const says =
  'VpcNatGateway nat-1 is of Vpc tenant, which does not exist: the next start of the controller deletes it';

testRule(rule, {
  healthy: {
    'its Vpc is there': world(gateway(), object('Vpc', 'tenant'), controller()),
    'its Vpc is there, and being deleted': world(
      gateway(),
      object('Vpc', 'tenant', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ),
    'it is being deleted': world(
      gateway('tenant', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      controller(),
    ),
    'it names no Vpc': world(gateway(''), controller()),
    'nothing is collected': world(gateway(), controller('--gc-interval=0')),
  },
  violation: {
    'its Vpc is gone': {
      given: world(gateway(), object('Vpc', 'other'), controller()),
      summary: says,
    },
    'the controller collects every minute': {
      given: world(gateway(), controller('--gc-interval=60')),
      summary: says,
    },
    'no controller is known': { given: world(gateway()), summary: says },
  },
});
