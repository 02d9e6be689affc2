import { tryParseIp } from '@ovn-steward/shared/address';
import { isAlive } from '../kube-ovn/pod-networks';
import { isOlderRelease, type Release, releaseOf } from '../kube-ovn/release';
import { NORTH_GATEWAY_PRIORITY } from '../relations/gateway-policies';
import { routerPoliciesByRule } from '../relations/router-policies-by-rule';
import { CONTROLLER_KINDS, type ControllerKind } from '../rule-kit/controller';
import { booleanOf, controllers, flagOf } from '../rule-kit/controller-flags';
import { present, unclaimed, value } from '../rule-kit/facts';
import { routersOf } from '../rule-kit/handled-vpc';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { type Entity, keyOf } from '../world/entity';

/** The first release that makes a policy, not a route, of an external address. */
const MAKES: Release = [1, 13, 0];
const KEY = 'ovn.kubernetes.io/';

/**
 * A pod with a gateway or an external address of its own, whose router has no policy that sends its
 * traffic there.
 *
 * Kube-OVN makes it once, when it routes the pod (`routed`), and never looks again. A start deletes
 * every policy of that priority but those of pods with a north gateway, so that one of an external
 * address is lost for as long as its pod lives (pkg/controller/pod.go, gc.go `gcRoutePolicy`,
 * kube-ovn.md §4.10, rows 9 and 52). It is made in subnets of the default VPC whose gateway is
 * OVN's, as is asked here.
 */
export default defineRule({
  id: 'pod-gateway-policy-missing',
  class: 'missing',
  severity: 'critical',
  subject: 'Pod',
  reads: [...CONTROLLER_KINDS, 'Subnet', 'Vpc', 'Logical_Router', 'Logical_Router_Policy'],
  about:
    'A pod asks for a gateway (`north_gateway`) or an external address (`eip`, `snat`) of its own, and no router policy sends its traffic there: it leaves by the gateway of its subnet. A restart of the controller deletes such policies of external addresses. Remove the annotation `ovn.kubernetes.io/routed` of the pod, and the controller makes it again.',

  check(pod, view) {
    const wanted = wantedBy(pod, view);
    const annotations = pod.object.metadata.annotations ?? {};
    if (!wanted || !isAlive(pod) || annotations[`${KEY}routed`] !== 'true') return healthy;
    const subnet = view.get('Subnet', annotations[`${KEY}logical_switch`] ?? '');
    const { vpc: of = '', vlan = '', logicalGateway = false } = subnet?.object.spec ?? {};
    const vpc = view.get('Vpc', of);
    if (vpc?.object.status?.default !== true || (vlan !== '' && !logicalGateway)) return healthy;
    const routers = routersOf(vpc, view);
    const lost = wanted.sources
      .map((it) => `ip${familyOf(it)}.src == ${it}`)
      .filter(
        (match) =>
          !routers.some(({ uid }) =>
            view.has(routerPoliciesByRule, `${uid} ${NORTH_GATEWAY_PRIORITY} ${match}`),
          ),
      );
    const [router] = routers;
    if (!router) return healthy;
    return violation(
      ...lost.map((match) => ({
        summary: `pod ${keyOf(pod)} asks for ${wanted.key} ${wanted.by}, and router ${router.name} has no policy ${NORTH_GATEWAY_PRIORITY} "${match}" that sends its traffic there`,
        part: { column: `metadata.annotations[${KEY}${wanted.key}]`, key: match },
        concerns: [router],
        proof: [
          value(pod, `metadata.annotations[${KEY}${wanted.key}]`, wanted.by),
          value(pod, `metadata.annotations[${KEY}routed]`, 'true'),
          present(router),
          unclaimed(
            'Logical_Router_Policy',
            'router, priority and match',
            `${router.name} ${NORTH_GATEWAY_PRIORITY} ${match}`,
          ),
        ],
      })),
    );
  },
});

interface Request {
  readonly key: 'eip' | 'snat' | 'north_gateway';
  readonly by: string;
  /** The addresses of the pod that are to go there. */
  readonly sources: readonly string[];
}

/**
 * What the pod asks for, as Kube-OVN reads it: an external address goes before a gateway, and has a
 * policy where the pod has one address, of IPv4. Undefined where it asks for nothing, or it is not
 * known whether the controller makes anything of it.
 */
function wantedBy(pod: Entity<'Pod'>, view: View<ControllerKind>): Request | undefined {
  const annotations = pod.object.metadata.annotations ?? {};
  const key = (['eip', 'snat', 'north_gateway'] as const).find((it) => annotations[KEY + it]);
  if (key === undefined) return undefined;
  const sources = (annotations[`${KEY}ip_address`] ?? '').split(',').map((it) => it.trim());
  const by = annotations[KEY + key]!;
  if (key === 'north_gateway') {
    const family = familyOf(by);
    return { key, by, sources: sources.filter((it) => family && familyOf(it) === family) };
  }
  const isOne = sources.length === 1 && familyOf(sources[0]!) === 4;
  return isOne && servesExternalAddresses(view) ? { key, by, sources } : undefined;
}

const familyOf = (address: string): number | undefined => tryParseIp(address)?.family;

function servesExternalAddresses(view: View<ControllerKind>): boolean {
  const all = controllers(view);
  return all.length > 0 && all.every(makesPolicies);
}

function makesPolicies(deployment: Entity<'Deployment'>): boolean {
  const release = releaseOf(deployment);
  return (
    release !== undefined &&
    !isOlderRelease(release, MAKES) &&
    booleanOf(flagOf(deployment, 'enable-eip-snat')) !== false
  );
}
