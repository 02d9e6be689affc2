import { claimsByVip } from '../relations/claims-by-vip';
import { healthChecksByHolder } from '../relations/health-checks-by-holder';
import { vpcsByLoadBalancer } from '../relations/vpcs-by-load-balancer';
import { referenceTo } from '../world/entity';
import { requestedByRouterRule } from '../rule-kit/router-rule';
import { splitVip, vipKey } from '../kube-ovn/vips';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { unchanged, unclaimed, value } from '../rule-kit/facts';

/**
 * An entry of a VPC load balancer for an address and port no Service requests any more.
 *
 * The load balancer itself is shared by all Services of the VPC and lives on; only the entry is
 * stale. A vip counts as requested if any Service or SwitchLBRule of any VPC has that address, port
 * and protocol (kube-ovn.md §4.5, row 59): the same vip in the wrong VPC's balancer is kept. An
 * entry made by hand cannot be distinguished from a stale one; Kube-OVN removes both alike at its
 * next start.
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
    const owner = view.ownership(balancer);
    if (owner.verdict !== 'candidate') return healthy;
    const protocol = balancer.object.protocol ?? 'tcp';
    const stale: { vip: string; key: string }[] = [];
    // Not the controller's writing; it is kept, and does not keep the entries beside it.
    let illegible: string | undefined;
    for (const vip of vips) {
      const split = splitVip(vip);
      const key = split && vipKey(split.ip, split.port, protocol);
      if (!key) {
        illegible ??= vip;
        continue;
      }
      if (!view.has(claimsByVip, key) && !requestedByRouterRule(split, protocol, view))
        stale.push({ vip, key });
    }
    if (stale.length === 0 && illegible !== undefined)
      return unknown(
        `load balancer ${balancer.name} has the entry ${JSON.stringify(illegible)}, which is no address and port`,
      );
    const checks = view.related(healthChecksByHolder, balancer.uid);

    return violation(
      ...stale.map(({ vip, key }) => ({
        says: `load balancer ${balancer.name} still answers ${vip}/${protocol}, which no Service asks for`,
        owner,
        part: { column: 'vips', key: vip },
        concerns: checks.filter((it) => it.object['vip'] === vip),
        proof: [
          ...(['Service', 'SwitchLBRule', 'RouterLBRule'] as const).map((kind) =>
            unclaimed(kind, 'vip', key.replaceAll('|', ' ')),
          ),
          value(balancer, `vips[${vip}]`, balancer.object.vips![vip]!),
          unchanged(balancer),
        ],
        remedy: {
          action: 'remove-load-balancer-vip',
          target: referenceTo(balancer, { column: 'vips', key: vip }),
          advice: `remove the key ${vip} from the balancer's vips; the balancer stays`,
        },
      })),
    );
  },
});
