import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './vpc-policy-route-missing';

const MATCH = 'ip4.src == 10.60.0.0/24';
const vpc = (over: Record<string, Record<string, unknown>> = {}) =>
  object('Vpc', 'blue', {
    spec: { policyRoutes: [{ priority: 100, match: MATCH, action: 'drop' }], ...over['spec'] },
    status: { standby: true, router: 'blue', ...over['status'] },
    metadata: over['metadata'] ?? {},
  });
const router = (uid = 'router', name = 'blue') => row('Logical_Router', name, { uid });
const policy = (columns: Record<string, unknown> = {}, of = 'router') =>
  row('Logical_Router_Policy', '', {
    uid: 'policy',
    priority: 100,
    match: MATCH,
    action: 'drop',
    _parents: [{ kind: 'Logical_Router', uid: of, column: 'policies' }],
    ...columns,
  });

testRule(rule, {
  healthy: {
    'its router has it': world(vpc(), router(), policy()),
    'a subnet shares priority and match with it': world(
      vpc(),
      router(),
      policy({ action: 'reroute', external_ids: { vendor: 'kube-ovn', subnet: 'apps' } }),
    ),
    'the second of two routers of the name has it': world(
      vpc(),
      router(),
      router('two'),
      policy({}, 'two'),
    ),
    'it asks for none': world(vpc({ spec: { policyRoutes: [] } }), router()),
    'it was not handled yet': world(vpc({ status: { standby: false } }), router()),
    'nobody says which router is its': world(vpc({ status: { router: '' } }), router()),
    'its router is gone: that is another finding': world(vpc()),
    'it is being deleted': world(
      vpc({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      router(),
    ),
    "it is the mirror of somebody else's router": world(
      vpc({ metadata: { labels: { 'ovn.kubernetes.io/vpc_external': 'true' } } }),
      router(),
    ),
    'what it asks for is no policy': world(
      vpc({ spec: { policyRoutes: [{ priority: '100', match: MATCH }, { priority: 100 }] } }),
      router(),
    ),
  },
  violation: {
    'nothing of that priority and match is on its router': {
      given: world(
        vpc(),
        router(),
        router('green', 'green'),
        policy({ uid: 'p1', priority: 101 }),
        policy({ uid: 'p2', match: 'ip4.src == 10.61.0.0/24' }),
        policy({ uid: 'p3' }, 'green'),
      ),
      summary: `Vpc blue asks for a policy route that router blue does not have: 100 ${MATCH} (drop)`,
      parts: [`spec.policyRoutes=100 ${MATCH}`],
    },
    'one of two is missing': {
      given: world(
        vpc({
          spec: {
            policyRoutes: [
              { priority: 100, match: MATCH, action: 'drop' },
              { priority: 90, match: 'ip4', action: 'allow' },
              { priority: 90, match: 'ip4', action: 'allow' },
            ],
          },
        }),
        router(),
        policy(),
      ),
      summary: 'Vpc blue asks for a policy route that router blue does not have: 90 ip4 (allow)',
    },
  },
});
