import { chassis, databasePair, readyNode, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './duplicate-chassis';

const both = databasePair();
const former = row('Chassis', 'former', {
  hostname: 'worker-1',
  external_ids: { vendor: 'kube-ovn' },
});
const untagged = row('Chassis', 'untagged', { hostname: 'worker-1' });
const remote = row('Chassis', 'remote', {
  hostname: 'worker-1',
  other_config: { 'is-remote': 'true' },
});

testRule(rule, {
  healthy: {
    'each host has one': world(...both, chassis(), chassis('worker-2'), readyNode()),
    'the other is in another zone': world(...both, chassis(), remote, readyNode()),
    "both are somebody else's": world(
      ...both,
      untagged,
      row('Chassis', 'second', { hostname: 'worker-1' }),
      readyNode(),
    ),
    'there is no such node': world(...both, chassis(), former),
    'they say of no host': world(
      ...both,
      chassis('a', { hostname: '' }),
      chassis('b', { hostname: '' }),
    ),
  },
  unknown: {
    'the Southbound is that of another network': world(
      ...databasePair({}),
      chassis(),
      former,
      readyNode(),
    ),
  },
  violation: {
    'one is a rest': {
      given: world(...both, chassis(), former, readyNode()),
      summary: 'node worker-1 has 2 chassis: chassis-of-worker-1, former',
      concerns: ['former'],
    },
    'one is not tagged yet': {
      given: world(...both, untagged, chassis(), readyNode()),
      summary: 'node worker-1 has 2 chassis: chassis-of-worker-1, untagged',
      concerns: ['untagged'],
    },
  },
});
