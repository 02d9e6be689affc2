import { tryParseIp } from '@ovn-steward/shared/address';
import { blockText, tryParseCidr } from '../kube-ovn/cidr';
import { policyClaimsByBlock } from '../relations/policy-claims-by-block';
import { FREE_ADDRESS_KINDS, freeIn, isFree } from '../rule-kit/free-address';
import { isKeyless } from '../rule-kit/keyless';
import { type Reason, whyLeadsNowhere } from '../rule-kit/unreached-hop';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import { present, unchanged, unclaimed, value } from '../rule-kit/facts';

type Route = Entity<'Logical_Router_Static_Route'>;

/**
 * A static route without any key: one by source of a subnet or an address that does not exist any
 * more, or one that leads nowhere.
 *
 * Releases before v1.15 put no key on a route, and later ones remove only those that have theirs,
 * so a route made before an upgrade is never removed again (kube-ovn.md §3.2, row 50). By itself it
 * cannot be distinguished from one that a person made. Of what still leads somewhere only what
 * Kube-OVN makes by source is judged: for a subnet's block by an address in it, and for one address.
 * Whoever made the route, OVN makes no flow of one whose next hop is in no network of its router's
 * ports, unless it names a port or the next hop is link-local.
 */
export default defineRule({
  id: 'stale-static-route',
  class: 'drift',
  severity: 'info',
  subject: 'Logical_Router_Static_Route',
  reads: [...FREE_ADDRESS_KINDS, 'Vpc', 'Logical_Router', 'Logical_Router_Port'],
  about:
    'A static route for a source that no Subnet and no pod of the VPC has, or by a next hop in no network of its router, without a key that says who made it, as Kube-OVN made them before v1.15. From v1.15 on a restart does not remove it; check that nobody made it on purpose, and delete it from its router.',

  check(route, view) {
    const [parent, second] = parentsOf(route);
    if (!isKeyless(route) || !parent || second) return healthy;
    const router = view.byUid('Logical_Router', parent.uid);
    const vpc = router && view.get('Vpc', router.name);
    if (!vpc || router.object.external_ids?.['vendor'] !== 'kube-ovn' || isRequested(route, vpc))
      return healthy;
    const owner = view.ownership(route);
    if (owner.owner !== 'unknown') return healthy;
    const isBySource = route.object['policy'] === 'src-ip';
    const why =
      (isBySource ? nobodys(route, router.name, view) : undefined) ??
      whyLeadsNowhere(route, router, view);
    if (!why) return healthy;
    const [prefix, hop] = endsOf(route);
    return violation({
      summary: `static route on ${router.name} ${isBySource ? 'from' : 'to'} ${prefix} by ${hop} has no key of Kube-OVN's and is in no spec, and ${why.text}`,
      owner,
      proof: [
        unclaimed('Vpc', 'spec.staticRoutes, by cidr', prefix),
        present(vpc),
        ...why.facts,
        value(route, 'ip_prefix', prefix),
        value(route, 'nexthop', hop),
        unchanged(route),
      ],
    });
  },
});

const endsOf = ({ object }: Route): readonly [prefix: string, hop: string] => [
  String(object['ip_prefix'] ?? ''),
  String(object['nexthop'] ?? ''),
];

/** Whether the spec requests it, in whatever table. */
const isRequested = (route: Route, { object: { spec } }: Entity<'Vpc'>): boolean => {
  const [prefix] = endsOf(route);
  return (spec?.staticRoutes ?? []).some(
    (it) => blockText(String(it['cidr'])) === blockText(prefix),
  );
};

/** Why there is nobody whom it is for. */
function nobodys(
  route: Route,
  router: string,
  view: View<(typeof FREE_ADDRESS_KINDS)[number]>,
): Reason | undefined {
  const [prefix, hop] = endsOf(route);
  const host = tryParseIp(prefix.replace(/\/(?:32|128)$/, ''));
  if (host) {
    const subnet = freeIn(host, router, view);
    return (
      subnet && {
        text: `no record and no port has that address of subnet ${subnet.name}`,
        facts: isFree(host, subnet),
      }
    );
  }
  const block = tryParseCidr(prefix);
  const gateway = tryParseIp(hop);
  const isGateway =
    block?.range.family === gateway?.family &&
    gateway !== undefined &&
    gateway.value >= block!.range.first &&
    gateway.value <= block!.range.last;
  if (!isGateway || view.has(policyClaimsByBlock, `${router} ${blockText(prefix)}`))
    return undefined;
  return {
    text: 'no Subnet of its VPC has that block',
    facts: [unclaimed('Subnet', `spec.cidrBlock, in Vpc ${router}`, prefix)],
  };
}
