import { defineRule, healthy, type Violation, violation } from '../rule-kit/rule';
import type { Entity } from '../world/entity';
import { value } from '../rule-kit/facts';

type Route = Readonly<Record<string, unknown>>;

/**
 * Two static routes of a Vpc's spec that have one prefix, policy and table, and different next
 * hops, without a BFD session for each.
 *
 * When the controller adds the one it removes the other, whichever way round, and each reconcile of
 * the Vpc adds what is missing (kube-ovn.md §3.2, row 51; so in all releases from v1.12). Next hops
 * with BFD sessions of their own stand side by side; the controller writes those into the spec
 * itself, with `enableBfd`.
 */
export default defineRule({
  id: 'static-routes-replace-each-other',
  class: 'drift',
  severity: 'warning',
  subject: 'Vpc',
  reads: [],
  about:
    "Static routes in a Vpc's spec share a prefix and have different next hops without a BFD session each: Kube-OVN removes one when it adds the other, each time it reconciles the Vpc, also at a restart. Use a policyRoute with several next hops instead, or BFD.",

  check(vpc) {
    const { metadata, spec } = vpc.object;
    if (metadata.deletionTimestamp !== undefined || isMirror(vpc)) return healthy;
    const routes = new Map<string, Route[]>();
    for (const route of spec?.staticRoutes ?? []) {
      const key = prefixOf(route);
      routes.set(key, [...(routes.get(key) ?? []), route]);
    }
    return violation(
      ...[...routes].flatMap(([key, those]) => (exclusive(those) ? [found(vpc, key, those)] : [])),
    );
  },
});

function found(vpc: Entity<'Vpc'>, key: string, routes: readonly Route[]): Violation {
  const hops = [...new Set(routes.map((it) => textOf(it, 'nextHopIP')))].sort();
  return {
    says: `Vpc ${vpc.name} asks for static routes to ${key} by ${hops.join(' and ')}, which replace each other`,
    part: { column: 'spec.staticRoutes', key },
    proof: [value(vpc, `next hops to ${key} in spec.staticRoutes`, hops.join(', '))],
  };
}

/** Whether two of them have different next hops, and not two sessions. */
const exclusive = (routes: readonly Route[]): boolean =>
  routes.some((one, at) =>
    routes
      .slice(at + 1)
      .some(
        (other) =>
          textOf(one, 'nextHopIP') !== textOf(other, 'nextHopIP') && !haveOwnSessions(one, other),
      ),
  );

const haveOwnSessions = (one: Route, other: Route): boolean => {
  const [first, second] = [textOf(one, 'bfdId'), textOf(other, 'bfdId')];
  return first !== '' && second !== '' && first !== second;
};

/** Without a policy a route is by destination. */
const prefixOf = (route: Route): string => {
  const [policy, table] = [textOf(route, 'policy') || 'policyDst', textOf(route, 'routeTable')];
  return `${textOf(route, 'cidr')}${policy === 'policyDst' ? '' : ' (by source)'}${table === '' ? '' : ` in table ${table}`}`;
};

const textOf = (route: Route, field: string): string => {
  const text = route[field];
  return typeof text === 'string' ? text : '';
};

/** Of somebody else's router, which Kube-OVN writes nothing to (kube-ovn.md §7.3). */
const isMirror = ({ object: { metadata } }: Entity<'Vpc'>): boolean =>
  metadata.labels?.['ovn.kubernetes.io/vpc_external'] === 'true';
