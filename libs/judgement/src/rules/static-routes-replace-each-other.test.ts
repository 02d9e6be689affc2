import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './static-routes-replace-each-other';

const route = (nextHopIP: string, more: Record<string, unknown> = {}) => ({
  cidr: '10.9.0.0/16',
  policy: 'policyDst',
  nextHopIP,
  ...more,
});
const vpc = (staticRoutes: unknown[], metadata: Record<string, unknown> = {}) =>
  world(object('Vpc', 'tenant', { metadata, spec: { staticRoutes } }));
const BOTH = [route('10.0.0.1'), route('10.0.0.2')];

testRule(rule, {
  healthy: {
    'it has none': world(object('Vpc', 'tenant', { spec: {} }), object('Vpc', 'bare')),
    'each is for a prefix of its own': vpc([
      route('10.0.0.1'),
      route('10.0.0.2', { cidr: '10.8.0.0/16' }),
    ]),
    'the same is there twice': vpc([route('10.0.0.1'), route('10.0.0.1')]),
    'one is by source': vpc([route('10.0.0.1'), route('10.0.0.2', { policy: 'policySrc' })]),
    'one is in another table': vpc([route('10.0.0.1'), route('10.0.0.2', { routeTable: 'rt' })]),
    'each has a BFD session': vpc([
      route('10.0.0.1', { bfdId: 'one', ecmpMode: 'ecmp_symmetric_reply' }),
      route('10.0.0.2', { bfdId: 'two', ecmpMode: 'ecmp_symmetric_reply' }),
    ]),
    'it is being deleted': vpc(BOTH, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    'it mirrors a router of somebody else': vpc(BOTH, {
      labels: { 'ovn.kubernetes.io/vpc_external': 'true' },
    }),
  },
  violation: {
    'two next hops for one prefix': {
      given: vpc(BOTH),
      says: 'Vpc tenant asks for static routes to 10.9.0.0/16 by 10.0.0.1 and 10.0.0.2, which replace each other',
      parts: ['spec.staticRoutes=10.9.0.0/16'],
    },
    'one says its policy, the other leaves it out': {
      given: vpc([route('10.0.0.2', { policy: '' }), route('10.0.0.1')]),
      says: 'Vpc tenant asks for static routes to 10.9.0.0/16 by 10.0.0.1 and 10.0.0.2, which replace each other',
    },
    'only one has a BFD session': {
      given: vpc([route('10.0.0.1', { bfdId: 'one' }), route('10.0.0.2', { bfdId: '' })]),
      says: 'Vpc tenant asks for static routes to 10.9.0.0/16 by 10.0.0.1 and 10.0.0.2, which replace each other',
    },
    'both have the same session': {
      given: vpc([route('10.0.0.1', { bfdId: 'one' }), route('10.0.0.2', { bfdId: 'one' })]),
      says: 'Vpc tenant asks for static routes to 10.9.0.0/16 by 10.0.0.1 and 10.0.0.2, which replace each other',
    },
    'by source, in a table, and again in the main one': {
      given: vpc([
        route('10.0.0.1', { policy: 'policySrc', routeTable: 'rt' }),
        route('10.0.0.2', { policy: 'policySrc', routeTable: 'rt' }),
        ...BOTH,
      ]),
      says: [
        'Vpc tenant asks for static routes to 10.9.0.0/16 (by source) in table rt by 10.0.0.1 and 10.0.0.2, which replace each other',
        'Vpc tenant asks for static routes to 10.9.0.0/16 by 10.0.0.1 and 10.0.0.2, which replace each other',
      ],
    },
  },
});
