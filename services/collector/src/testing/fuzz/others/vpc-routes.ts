import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { type Cluster, rowNamed, ROUTER } from '../cluster';
import { dropFromRouter, ofRouter, putStaticRoute } from '../kube-ovn/router-rows';
import { type PolicyRoute, routesOf, type StaticRoute } from '../kube-ovn/vpc-spec';

const POLICIES: readonly PolicyRoute[] = [
  {
    priority: 31_500,
    match: 'ip4.dst == 192.0.2.0/24',
    action: 'reroute',
    nextHopIP: '10.17.0.207',
  },
  {
    priority: 31_500,
    match: 'ip4.dst == 192.0.2.0/24',
    action: 'reroute',
    nextHopIP: '10.17.0.208',
  },
  { priority: 31_510, match: 'ip4.src == 10.18.0.9', action: 'reroute', nextHopIP: '10.17.0.207' },
];
const route = (cidr: string, nextHopIP: string, more: Partial<StaticRoute> = {}): StaticRoute => ({
  policy: 'policyDst',
  cidr,
  nextHopIP,
  routeTable: '',
  ...more,
});
const ROUTES: readonly StaticRoute[] = [
  route('203.0.113.0/24', '10.17.0.207'),
  route('203.0.113.0/24', '10.18.0.207'),
  route('203.0.113.0/24', '10.18.0.207', { routeTable: 'rt-a' }),
  route('0.0.0.0/0', '10.17.0.209'),
];
/** Without a key, as from before v1.15: the first two lead on, the others are for nobody. */
const KEYLESS: readonly StaticRoute[] = [
  route('10.17.0.0/24', '10.17.0.1', { policy: 'policySrc' }),
  route('192.168.50.0/24', '10.18.0.220'),
  route('10.21.0.0/24', '10.21.0.1', { policy: 'policySrc' }),
  route('192.168.60.0/24', '172.31.0.1'),
];

/** Somebody edits the routes of the default Vpc, or takes or makes one on its router. */
export function changeRoutes(cluster: Cluster): void {
  const { random } = cluster;
  if (random.chance(0.2)) return takeOne(cluster);
  if (random.chance(0.15)) return putStaticRoute(cluster, random.pick(KEYLESS), false);
  const vpc = cluster.objects.get('Vpc', undefined, ROUTER)!;
  const { policyRoutes = [], staticRoutes = [] } = routesOf(cluster);
  const routes = random.chance(0.5)
    ? { policyRoutes: toggled(policyRoutes, random.pick(POLICIES)) }
    : { staticRoutes: toggled(staticRoutes, random.pick(ROUTES)) };
  const spec = { ...(vpc['spec'] as object), ...routes };
  cluster.put({ ...vpc, spec } as unknown as GivenObject);
  cluster.diary.push(`the default Vpc asks for ${JSON.stringify(routes)}`);
}

/** With it, or without it. */
const toggled = <T>(all: readonly T[], one: T): T[] => {
  const text = JSON.stringify(one);
  const others = all.filter((it) => JSON.stringify(it) !== text);
  return others.length < all.length ? others : [...others, one];
};

/** A policy or a route of the spec is taken off the router by mistake. */
function takeOne(cluster: Cluster): void {
  const column = cluster.random.pick(['policies', 'static_routes'] as const);
  const uid = cluster.random.maybe(
    ofRouter(cluster, column).filter((it) => cluster.labels.get(it)?.owners.length === 0),
  );
  if (uid !== undefined && rowNamed(cluster, 'Logical_Router', ROUTER))
    dropFromRouter(cluster, column, uid);
}
