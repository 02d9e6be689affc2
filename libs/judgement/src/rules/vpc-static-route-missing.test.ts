import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './vpc-static-route-missing';

const ROUTE = { policy: 'policyDst', cidr: '10.70.0.0/24', nextHopIP: '10.60.0.254' };
const vpc = (routes: readonly unknown[] = [ROUTE], status: Record<string, unknown> = {}) =>
  object('Vpc', 'blue', {
    spec: { staticRoutes: routes },
    status: { standby: true, router: 'blue', ...status },
  });
const router = row('Logical_Router', 'blue', { uid: 'router' });
const green = row('Logical_Router', 'green', { uid: 'green' });
const route = (columns: Record<string, unknown> = {}, of = 'router') =>
  row('Logical_Router_Static_Route', '', {
    uid: `route ${JSON.stringify(columns)} ${of}`,
    ip_prefix: '10.70.0.0/24',
    nexthop: '10.60.0.254',
    _parents: [{ kind: 'Logical_Router', uid: of, column: 'static_routes' }],
    ...columns,
  });
const says =
  'Vpc blue asks for a static route that router blue does not have: 10.70.0.0/24 by 10.60.0.254';

testRule(rule, {
  healthy: {
    'its router has it': world(vpc(), router, route({ policy: 'dst-ip' })),
    'the default of the policy is by destination': world(
      vpc([{ ...ROUTE, policy: '' }]),
      router,
      route(),
    ),
    'it is written in another spelling': world(
      vpc([{ ...ROUTE, cidr: '10.70.0.9/24' }]),
      router,
      route(),
    ),
    'it is in a table': world(
      vpc([{ ...ROUTE, routeTable: 'two' }]),
      router,
      route({ route_table: 'two' }),
    ),
    'it is by source: others compete with it': world(
      vpc([{ ...ROUTE, policy: 'policySrc' }]),
      router,
    ),
    'two next hops replace each other: that is another finding': world(
      vpc([ROUTE, { ...ROUTE, nextHopIP: '10.60.0.253' }]),
      router,
      route({ nexthop: '10.60.0.253' }),
    ),
    'it is the default route of the default VPC, which has another by the join network': world(
      vpc([{ ...ROUTE, cidr: '0.0.0.0/0' }], { default: true }),
      router,
    ),
    'it was not handled yet': world(vpc(undefined, { standby: false }), router),
    'its router is gone: that is another finding': world(vpc()),
    'it asks for none': world(vpc([]), router),
    'what it asks for is no route': world(vpc([{ cidr: 7 }, { cidr: '10.70.0.0/24' }]), router),
  },
  violation: {
    'no route of its router is like it': {
      given: world(
        vpc(),
        router,
        green,
        route({ nexthop: '10.60.0.1' }),
        route({ ip_prefix: '10.70.0.0/25' }),
        route({ route_table: 'two' }),
        route({ policy: 'src-ip' }),
        route({}, 'green'),
      ),
      summary: says,
      parts: ['spec.staticRoutes=10.70.0.0/24 by 10.60.0.254'],
    },
    'it is the default route of a custom VPC, in a table': {
      given: world(vpc([{ ...ROUTE, cidr: '0.0.0.0/0', routeTable: 'two' }]), router),
      summary: says.replace('10.70.0.0/24', '0.0.0.0/0') + ' in table two',
    },
  },
});
