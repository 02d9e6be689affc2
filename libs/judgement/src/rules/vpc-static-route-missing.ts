import { hopKey, staticRoutesByHop } from '../relations/static-routes-by-hop';
import { blockText } from '../kube-ovn/cidr';
import { routersOf } from '../rule-kit/handled-vpc';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { present, unclaimed, value } from '../rule-kit/facts';
import type { Entity } from '../world/entity';

interface DesiredRoute {
  readonly prefix: string;
  readonly hop: string;
  readonly table: string;
}

/** Kube-OVN adds these to the default VPC's router itself, by the join network's gateway. */
const DEFAULT_ROUTES: ReadonlySet<string> = new Set(['0.0.0.0/0', '::/0'].map(blockText));

/**
 * A static route by destination in the spec of a Vpc that its router does not have.
 *
 * Kube-OVN adds what is missing each time it handles the Vpc, in all releases
 * (pkg/controller/vpc.go). A route of which the spec has two next hops is another finding
 * (`static-routes-replace-each-other`), and so is a default route of the default VPC. Routes by
 * source are not judged: those of subnets and of NAT compete with them.
 */
export default defineRule({
  id: 'vpc-static-route-missing',
  class: 'drift',
  severity: 'critical',
  subject: 'Vpc',
  reads: ['Logical_Router', 'Logical_Router_Static_Route'],
  about:
    "A static route in a Vpc's spec that its router does not have: what it leads to cannot be reached from the VPC, or is reached another way. A restart of the controller or an edit of the Vpc's spec adds it again.",

  check(vpc, view) {
    const desired = desiredOf(vpc);
    const routers = desired.length === 0 ? [] : routersOf(vpc, view);
    if (routers.length === 0) return healthy;
    const { name } = routers[0]!;
    const missing = desired.filter(
      (it) => !routers.some(({ uid }) => view.has(staticRoutesByHop, hopKey(uid, it))),
    );
    return violation(
      ...missing.map(({ prefix, hop, table }) => {
        const route = `${prefix} by ${hop}${table === '' ? '' : ` in table ${table}`}`;
        return {
          summary: `Vpc ${vpc.name} asks for a static route that router ${name} does not have: ${route}`,
          part: { column: 'spec.staticRoutes', key: route },
          proof: [
            present(vpc),
            value(vpc, 'status.router', name),
            unclaimed(
              'Logical_Router_Static_Route',
              'router, ip_prefix, nexthop and route_table',
              `${name} ${route}`,
            ),
          ],
        };
      }),
    );
  },
});

/** The routes by destination that the spec asks for and nothing competes with, each once. */
function desiredOf(vpc: Entity<'Vpc'>): readonly DesiredRoute[] {
  const byPrefix = new Map<string, Map<string, DesiredRoute>>();
  for (const route of vpc.object.spec?.staticRoutes ?? []) {
    const text = (field: string): string => {
      const value = route[field];
      return typeof value === 'string' ? value : '';
    };
    const policy = text('policy');
    const prefix = text('cidr');
    const hop = text('nextHopIP');
    const table = text('routeTable');
    if ((policy !== '' && policy !== 'policyDst') || prefix === '' || hop === '') continue;
    if (vpc.object.status?.default === true && DEFAULT_ROUTES.has(blockText(prefix))) continue;
    const key = `${blockText(prefix)} ${table}`;
    const hops = byPrefix.get(key) ?? new Map<string, DesiredRoute>();
    byPrefix.set(key, hops.set(blockText(hop), { prefix, hop, table }));
  }
  return [...byPrefix.values()].filter((it) => it.size === 1).flatMap((it) => [...it.values()]);
}
