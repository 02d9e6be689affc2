import { protocolOf } from '../kube-ovn/service-vips';
import { vipKey } from '../kube-ovn/vips';
import { answeredVips } from '../relations/answered-vips';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { ignoresServices } from '../rule-kit/controller-flags';
import { controllerIsDown } from '../rule-kit/leading-controller';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { Entity } from '../world/entity';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { absent, unclaimed, unchanged, value } from '../rule-kit/facts';

/**
 * A SwitchLBRule whose Service was deleted while Kube-OVN's controller ran.
 *
 * The controller takes the vips of the Service out of the load balancers, and makes another Service
 * only when it handles the rule: at a start, and when the spec of the rule changes, in v1.15.24
 * and later when anything of it changes (`handleDeleteService` in pkg/controller/service.go,
 * `enqueueUpdateSwitchLBRule` in pkg/controller/switch_lb_rule.go, v1.12 to master; seen beside
 * v1.15.24). A Service that goes while no controller runs is made again at the next start, and its
 * vips are answered until then. In a Namespace that is gone it cannot be made.
 */
export default defineRule({
  id: 'switch-lb-rule-without-service',
  class: 'drift',
  severity: 'critical',
  subject: 'SwitchLBRule',
  reads: ['Service', 'Namespace', 'Load_Balancer', 'Lease', ...CONTROLLER_KINDS],
  about:
    'A SwitchLBRule whose Service `slr-<name>` was deleted: nothing answers its address. Change the spec of the rule, or restart the controller, and Kube-OVN makes the Service again; if its Namespace no longer exists, create that first. If nobody needs the address, delete the rule.',

  check(rule, view) {
    const { spec, status } = rule.object;
    const namespace = spec?.namespace ?? '';
    const service = `${namespace}/slr-${rule.name}`;
    if (isBeingDeleted(rule) || namespace === '' || status?.service !== service) return healthy;
    if (view.presence('Service', service) !== 'absent') return healthy;
    const vips = vipsOf(rule);
    if (vips.length === 0 || vips.some((it) => view.has(answeredVips, it))) return healthy;
    if (ignoresServices(view) || controllerIsDown(view)) return healthy;
    const home = view.get('Namespace', namespace);
    if (home && isBeingDeleted(home)) return healthy;

    return violation({
      summary: `SwitchLBRule ${rule.name} has lost its Service ${service}${home ? '' : ', whose Namespace no longer exists'}, and no load balancer answers ${spec?.vip ?? ''}`,
      proof: [
        absent('Service', service),
        ...(home ? [] : [absent('Namespace', namespace)]),
        ...vips.map((it) => unclaimed('Load_Balancer', 'vip', it.replaceAll('|', ' '))),
        value(rule, 'status.service', service),
        unchanged(rule),
      ],
    });
  },
});

const vipsOf = ({ object: { spec } }: Entity<'SwitchLBRule'>): string[] =>
  (spec?.vip ?? '')
    .split(',')
    .flatMap((ip) =>
      (spec?.ports ?? []).flatMap((it) => vipKey(ip.trim(), it.port, protocolOf(it)) ?? []),
    );
