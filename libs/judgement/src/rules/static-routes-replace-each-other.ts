import { defineRule, healthy, type Violation, violation } from '../rule-kit/rule';
import type { Entity } from '../world/entity';
import { present, value } from '../rule-kit/facts';
import { nodesBySwitch } from '../relations/nodes-by-switch';
import { subnetsByVpc } from '../relations/subnets-by-vpc';
import type { View } from '../rule-kit/view';

type Route = Readonly<Record<string, unknown>>;

const DEFAULT_ROUTES: ReadonlySet<string> = new Set(['0.0.0.0/0', '::/0']);

/** What Kube-OVN adds itself, by the gateway of a Subnet, so that it is in no spec. */
interface Added {
  readonly route: Route;
  readonly join: Entity<'Subnet'>;
}

/**
 * Two static routes of a Vpc's spec that have one prefix, policy and table, and different next
 * hops, without a BFD session for each.
 *
 * When the controller adds the one it removes the other, whichever way round, and each reconcile of
 * the Vpc adds what is missing (kube-ovn.md §3.2, row 51; so in all releases from v1.12). Next hops
 * with BFD sessions of their own stand side by side; the controller writes those into the spec
 * itself, with `enableBfd`. To the default VPC's router it adds a default route in each table, by
 * the gateway of the join network, which its Nodes are on by their annotation; so in all releases.
 */
export default defineRule({
  id: 'static-routes-replace-each-other',
  class: 'drift',
  severity: 'warning',
  subject: 'Vpc',
  reads: [],
  consults: ['Subnet', 'Node'],
  about:
    "Static routes in a Vpc's spec share a prefix and have different next hops without a BFD session each: Kube-OVN removes one when it adds the other, each time it reconciles the Vpc, also at a restart. A default route of the default Vpc competes so with the one to the join network. Use a policyRoute with several next hops instead, or BFD.",

  check(vpc, view) {
    const { metadata, spec } = vpc.object;
    if (metadata.deletionTimestamp !== undefined || isMirror(vpc)) return healthy;
    const routes = new Map<string, Route[]>();
    for (const route of spec?.staticRoutes ?? []) {
      const key = prefixOf(route);
      routes.set(key, [...(routes.get(key) ?? []), route]);
    }
    return violation(
      ...[...routes].flatMap(([key, those]) => {
        const added = addedBeside(vpc, those[0]!, view);
        const all = added ? [...those, added.route] : those;
        return exclusive(all) ? [found(vpc, key, those, added)] : [];
      }),
    );
  },
});

function found(
  vpc: Entity<'Vpc'>,
  key: string,
  routes: readonly Route[],
  added: Added | undefined,
): Violation {
  const hops = [...new Set(routes.map((it) => textOf(it, 'nextHopIP')))].sort();
  const asks = `Vpc ${vpc.name} asks for static routes to ${key} by ${hops.join(' and ')}`;
  const proof = [value(vpc, `next hops to ${key} in spec.staticRoutes`, hops.join(', '))];
  const part = { column: 'spec.staticRoutes', key };
  if (!added) return { summary: `${asks}, which replace each other`, part, proof };
  const gateway = textOf(added.route, 'nextHopIP');
  return {
    summary: `${asks}, and Kube-OVN adds one by ${gateway} of Subnet ${added.join.name}: they replace each other`,
    part,
    concerns: [added.join],
    proof: [
      ...proof,
      present(added.join),
      value(added.join, 'spec.gateway', added.join.object.spec?.gateway ?? ''),
    ],
  };
}

/** The default route that Kube-OVN adds to the default VPC's router, where this one is such. */
function addedBeside(
  vpc: Entity<'Vpc'>,
  route: Route,
  view: View<'Subnet' | 'Node'>,
): Added | undefined {
  const cidr = textOf(route, 'cidr');
  const isOther = (textOf(route, 'policy') || 'policyDst') !== 'policyDst';
  if (vpc.object.status?.default !== true || !DEFAULT_ROUTES.has(cidr) || isOther) return undefined;
  const joins = view
    .related(subnetsByVpc, vpc.name)
    .filter((it) => view.has(nodesBySwitch, it.name));
  const [join, second] = joins;
  const gateway = (join?.object.spec?.gateway ?? '')
    .split(',')
    .find((it) => it !== '' && it.includes(':') === cidr.includes(':'));
  if (!join || second || gateway === undefined) return undefined;
  return { route: { ...route, nextHopIP: gateway, bfdId: '' }, join };
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
  const first = textOf(one, 'bfdId');
  const second = textOf(other, 'bfdId');
  return first !== '' && second !== '' && first !== second;
};

/** Without a policy a route is by destination. */
const prefixOf = (route: Route): string => {
  const policy = textOf(route, 'policy') || 'policyDst';
  const table = textOf(route, 'routeTable');
  return `${textOf(route, 'cidr')}${policy === 'policyDst' ? '' : ' (by source)'}${table === '' ? '' : ` in table ${table}`}`;
};

const textOf = (route: Route, field: string): string => {
  const text = route[field];
  return typeof text === 'string' ? text : '';
};

/** Of somebody else's router, which Kube-OVN writes nothing to (kube-ovn.md §7.3). */
const isMirror = ({ object: { metadata } }: Entity<'Vpc'>): boolean =>
  metadata.labels?.['ovn.kubernetes.io/vpc_external'] === 'true';
