import { operation as op } from '@ovn-steward/ovsdb';
import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { type Cluster, keyIn, recordHarm, rowNamed, ROUTER, uuidsOf } from '../cluster';

import type { PolicyRoute, StaticRoute } from './vpc-spec';

/** The rows of a column of the default VPC's router. */
export const ofRouter = (cluster: Cluster, column: 'policies' | 'static_routes'): string[] =>
  uuidsOf(rowNamed(cluster, 'Logical_Router', ROUTER)![1][column]);

export const routeText = (it: StaticRoute): string =>
  `${it.routeTable} ${it.policy} ${it.cidr} ${it.nextHopIP}`;

/** Each static route of the router as a spec would say it. */
export function* staticRoutes(
  cluster: Cluster,
): Generator<{ readonly uid: string; readonly isTagged: boolean; readonly route: StaticRoute }> {
  for (const uid of ofRouter(cluster, 'static_routes')) {
    const row = cluster.rows('Logical_Router_Static_Route').get(uid)!;
    yield {
      uid,
      isTagged: keyIn(row['external_ids'], 'vendor') === 'kube-ovn',
      route: {
        policy: row['policy'] === 'src-ip' ? 'policySrc' : 'policyDst',
        cidr: String(row['ip_prefix']),
        nextHopIP: String(row['nexthop']),
        routeTable: String(row['route_table']),
      },
    };
  }
}

export function dropFromRouter(
  cluster: Cluster,
  column: 'policies' | 'static_routes',
  uid: string,
): void {
  const [router] = rowNamed(cluster, 'Logical_Router', ROUTER)!;
  recordHarm(cluster, uid, router);
  cluster.write(op.mutate('Logical_Router', op.byUuid(router), [[column, 'delete', op.uuid(uid)]]));
  cluster.diary.push(`${column === 'policies' ? 'router policy' : 'static route'} ${uid} removed`);
}

/** Adds a route; every other of that prefix, table and sort goes (ovn-nb-logical_router_route.go). */
export function putStaticRoute(cluster: Cluster, wanted: StaticRoute, isTagged: boolean): void {
  const same = [...staticRoutes(cluster)].filter(
    ({ route }) =>
      route.cidr === wanted.cidr &&
      route.policy === wanted.policy &&
      route.routeTable === wanted.routeTable,
  );
  for (const { uid, route } of same)
    if (route.nextHopIP !== wanted.nextHopIP) dropFromRouter(cluster, 'static_routes', uid);
  if (same.some(({ route }) => route.nextHopIP === wanted.nextHopIP)) return;
  const [router] = rowNamed(cluster, 'Logical_Router', ROUTER)!;
  const uid = cluster.random.uuid();
  const row = {
    ip_prefix: wanted.cidr,
    nexthop: wanted.nextHopIP,
    route_table: wanted.routeTable,
    policy: wanted.policy === 'policySrc' ? 'src-ip' : 'dst-ip',
    ...(isTagged && { external_ids: ours() }),
  };
  const holder = { table: 'Logical_Router', uuid: router, column: 'static_routes' };
  cluster.write(...add('Logical_Router_Static_Route', uid, row, holder));
  label(cluster, 'Logical_Router_Static_Route', uid, routeText(wanted));
  cluster.diary.push(`static route ${routeText(wanted)} is ${uid}`);
}

const label = (cluster: Cluster, kind: string, uid: string, name: string): void =>
  cluster.labels.set({ kind, uid, name, by: 'kube-ovn', owners: [], addresses: [] });

/** The policies of that priority and match, which is what Kube-OVN takes for one policy. */
export const policiesLike = (
  cluster: Cluster,
  { priority, match }: Pick<PolicyRoute, 'priority' | 'match'>,
): string[] =>
  ofRouter(cluster, 'policies').filter((uid) => {
    const row = cluster.rows('Logical_Router_Policy').get(uid)!;
    return row['priority'] === priority && row['match'] === match;
  });

export function putPolicy(cluster: Cluster, policy: PolicyRoute): void {
  for (const uid of policiesLike(cluster, policy)) {
    const { action, nexthops } = cluster.rows('Logical_Router_Policy').get(uid)!;
    if (action === policy.action && nexthops === policy.nextHopIP) return;
    dropFromRouter(cluster, 'policies', uid);
  }
  const [router] = rowNamed(cluster, 'Logical_Router', ROUTER)!;
  const uid = cluster.random.uuid();
  const { priority, match, action } = policy;
  const row = { priority, match, action, nexthops: policy.nextHopIP, external_ids: ours() };
  const holder = { table: 'Logical_Router', uuid: router, column: 'policies' };
  cluster.write(...add('Logical_Router_Policy', uid, row, holder));
  label(cluster, 'Logical_Router_Policy', uid, `policy route ${priority} ${match}`);
  cluster.diary.push(`policy ${priority} "${match}" by ${policy.nextHopIP} is ${uid}`);
}
