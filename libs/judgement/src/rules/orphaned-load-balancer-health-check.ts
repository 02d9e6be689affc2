import { claimsByVip } from '../relations/claims-by-vip';
import { referenceTo } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import { ownerOfHealthCheck } from '../rule-kit/balancer-owner';
import { requestedByRouterRule } from '../rule-kit/router-rule';
import { splitVip, vipKey } from '../kube-ovn/vips';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { unchanged, unclaimed, value } from '../rule-kit/facts';

/**
 * A health check of an address its load balancer does not have any more.
 *
 * northd checks the backends of a vip; of one the balancer does not have there are none (ovn-nb(5),
 * Load_Balancer_Health_Check). Kube-OVN takes the check away together with the vip, unless the vip
 * went without it (kube-ovn.md row 61).
 */
export default defineRule({
  id: 'orphaned-load-balancer-health-check',
  class: 'garbage',
  severity: 'info',
  subject: 'Load_Balancer_Health_Check',
  reads: ['Load_Balancer', 'Service', 'SwitchLBRule', 'RouterLBRule', 'Vpc'],
  consults: ['OvnEip'],
  about:
    'A health check of an address that its load balancer no longer has and no Service requests. It checks nothing, and keeps the Vip of its subnet that it would check from.',
  remedy: 'delete-load-balancer-health-check',

  check(check, view) {
    const vip = String(check.object['vip'] ?? '');
    const [holder] = parentsOf(check);
    const balancer = holder && view.byUid('Load_Balancer', holder.uid);
    if (!balancer || Object.hasOwn(balancer.object.vips ?? {}, vip)) return healthy;
    const owner = ownerOfHealthCheck(check, balancer, view);
    if (!owner) return healthy;
    const protocol = balancer.object.protocol ?? 'tcp';
    const keyOf = (key: string): string | undefined => {
      const parts = splitVip(key);
      return parts && vipKey(parts.ip, parts.port, protocol);
    };
    const key = keyOf(vip);
    const split = splitVip(vip);
    if (key === undefined || split === undefined)
      return unknown(
        `a health check of load balancer ${balancer.name} is of ${JSON.stringify(vip)}, which is no address and port`,
      );
    // The same address may be spelled otherwise; a requested one is about to be in the balancer.
    if (Object.keys(balancer.object.vips ?? {}).some((it) => keyOf(it) === key)) return healthy;
    if (view.has(claimsByVip, key) || requestedByRouterRule(split, protocol, view)) return healthy;

    return violation({
      summary: `load balancer ${balancer.name} has a health check of ${vip}/${protocol}, an address it does not have`,
      owner,
      concerns: [balancer],
      proof: [
        value(balancer, `vips[${vip}]`, ''),
        ...(['Service', 'SwitchLBRule', 'RouterLBRule'] as const).map((kind) =>
          unclaimed(kind, 'vip', key.replaceAll('|', ' ')),
        ),
        unchanged(check),
      ],
      ...(owner.verdict === 'candidate' && {
        remedy: {
          action: 'delete-load-balancer-health-check',
          target: referenceTo(check),
          advice: 'take the health check out of its balancer; the balancer stays',
        },
      }),
    });
  },
});
