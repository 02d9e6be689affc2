import { ascendingBy } from '@ovn-steward/shared/compare';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { balancerFor, SERVICE_VPC } from '../kube-ovn/service-vips';
import { splitVip, vipKey } from '../kube-ovn/vips';
import { balancersByVip } from '../relations/balancers-by-vip';
import { claimsByVip } from '../relations/claims-by-vip';
import { healthChecksByHolder } from '../relations/health-checks-by-holder';
import { vpcsByLoadBalancer } from '../relations/vpcs-by-load-balancer';
import { present, unchanged, unclaimed, value } from '../rule-kit/facts';
import { ownerOfBalancer } from '../rule-kit/balancer-owner';
import { requestedByRouterRule } from '../rule-kit/router-rule';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';
import { keyOf, referenceTo } from '../world/entity';

/**
 * An entry of a VPC load balancer for an address and port no Service requests any more.
 *
 * The load balancer itself is shared by all Services of the VPC and lives on; only the entry is
 * stale. A vip counts as requested if any Service or SwitchLBRule of any VPC has that address, port
 * and protocol (kube-ovn.md §4.5, row 59): the same vip in the wrong VPC's balancer is kept. That of
 * Services that are answered in the VPC's other balancer of the protocol, as their session affinity
 * asks, is stale: where it changed while the controller was away, only a start with collection takes
 * it out (`gcLoadBalancer` sorts by affinity, v1.12 to v1.17), and connections may go by either. An
 * entry made by hand cannot be distinguished from a stale one; Kube-OVN removes both alike at its
 * next start. Before v1.15 load balancers have no key: where a Vpc names one for its protocol, its
 * entries are reported, and never removed.
 */
export default defineRule({
  id: 'stale-load-balancer-vip',
  class: 'garbage',
  severity: 'warning',
  subject: 'Load_Balancer',
  reads: ['Service', 'SwitchLBRule', 'RouterLBRule', 'Vpc', 'Load_Balancer_Health_Check'],
  consults: ['OvnEip'],
  about:
    'An entry in a VPC load balancer whose Service no longer exists or no longer has that port. Traffic to the address is still sent to its old backends. A start of Kube-OVN’s controller removes it, unless a Service of another VPC has the address.',
  remedy: 'remove-load-balancer-vip',

  check(balancer, view) {
    const vips = Object.keys(balancer.object.vips ?? {});
    if (vips.length === 0 || !view.has(vpcsByLoadBalancer, balancer.name)) return healthy;
    const owner = ownerOfBalancer(balancer, view);
    if (!owner) return healthy;
    const protocol = balancer.object.protocol ?? 'tcp';
    const beside = besideOf(balancer, view);
    const stale: Stale[] = [];
    // Not the controller's writing; it is kept, and does not keep the entries beside it.
    let illegible: string | undefined;
    for (const vip of vips) {
      const split = splitVip(vip);
      const key = split && vipKey(split.ip, split.port, protocol);
      if (!key) {
        illegible ??= vip;
        continue;
      }
      if (requestedByRouterRule(split, protocol, view)) continue;
      if (!view.has(claimsByVip, key)) stale.push({ vip, key });
      else {
        const elsewhere = answeredBeside(beside, key, view);
        if (elsewhere) stale.push({ vip, key, elsewhere });
      }
    }
    if (stale.length === 0 && illegible !== undefined)
      return unknown(
        `load balancer ${balancer.name} has the entry ${JSON.stringify(illegible)}, which is no address and port`,
      );
    const checks = view.related(healthChecksByHolder, balancer.uid);

    return violation(
      ...stale.map(({ vip, key, elsewhere }) => ({
        summary: `load balancer ${balancer.name} still answers ${vip}/${protocol}, which ${elsewhere ? textOf(elsewhere) : 'no Service asks for'}`,
        owner,
        part: { column: 'vips', key: vip },
        concerns: checks.filter((it) => it.object['vip'] === vip),
        proof: [
          ...(elsewhere
            ? [
                present(elsewhere.balancer),
                ...elsewhere.services.flatMap((service) => [
                  present(service),
                  value(
                    service,
                    'spec.sessionAffinity',
                    service.object.spec?.sessionAffinity ?? '',
                  ),
                ]),
              ]
            : (['Service', 'SwitchLBRule', 'RouterLBRule'] as const).map((kind) =>
                unclaimed(kind, 'vip', key.replaceAll('|', ' ')),
              )),
          value(balancer, `vips[${vip}]`, balancer.object.vips![vip]!),
          unchanged(balancer),
        ],
        ...(owner.verdict === 'candidate' && {
          remedy: {
            action: 'remove-load-balancer-vip',
            target: referenceTo(balancer, { column: 'vips', key: vip }),
            advice: `remove the key ${vip} from the balancer's vips; the balancer stays`,
          },
        }),
      })),
    );
  },
});

/** Where Services are answered whose affinity asks for another balancer than this one. */
interface Elsewhere {
  readonly balancer: Entity<'Load_Balancer'>;
  readonly services: readonly Entity<'Service'>[];
}

interface Stale {
  readonly vip: string;
  readonly key: string;
  readonly elsewhere?: Elsewhere;
}

const textOf = ({ balancer, services }: Elsewhere): string =>
  `${services.map((it) => `Service ${keyOf(it)}`).join(' and ')}, by session affinity, has in load balancer ${balancer.name}`;

/** The VPC's other balancer of the protocol, of the other session affinity. */
function besideOf(
  { name, object: { protocol = 'tcp' } }: Entity<'Load_Balancer'>,
  view: View<'Vpc'>,
): { readonly name: string; readonly vpc: Entity<'Vpc'> } | undefined {
  const [vpc, second] = view.related(vpcsByLoadBalancer, name);
  if (!vpc || second) return undefined;
  const pair = ['ClientIP', 'None'].map((it) => balancerFor(vpc, protocol, it));
  const other = pair.includes(name) ? pair.find((it) => it !== name) : undefined;
  return other === undefined ? undefined : { name: other, vpc };
}

/**
 * That balancer where it has the vip as well, and all that request it are Services of this VPC that
 * belong there. Asked in this order, so that nearly no Service is read.
 */
function answeredBeside(
  beside: ReturnType<typeof besideOf>,
  key: string,
  view: View<'Service' | 'SwitchLBRule' | 'RouterLBRule' | 'Load_Balancer'>,
): Elsewhere | undefined {
  if (!beside) return undefined;
  const [balancer, twin] = view.related(balancersByVip, `${beside.name} ${key}`);
  if (!balancer || twin) return undefined;
  const claims = view.related(claimsByVip, key);
  if (!claims.every((it) => it.kind === 'Service')) return undefined;
  const services = [...(claims as readonly Entity<'Service'>[])].sort(ascendingBy(keyOf));
  const belongs = services.every(
    (service) =>
      service.object.metadata.annotations?.[SERVICE_VPC] === beside.vpc.name &&
      !isBeingDeleted(service) &&
      balancerFor(
        beside.vpc,
        balancer.object.protocol ?? 'tcp',
        service.object.spec?.sessionAffinity,
      ) === beside.name,
  );
  return belongs ? { balancer, services } : undefined;
}
