import { type Entity, keyOf } from '../world/entity';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { absent, unchanged, value } from '../rule-kit/facts';

const VIP = 'ovn.kubernetes.io/switch_lb_vip';

/**
 * The headless Service that Kube-OVN created for a SwitchLBRule, which is deleted or has its
 * Service in another namespace now.
 *
 * The controller deletes it with the rule. When it was away at that moment it never checks the
 * Service again, at no start either, which was seen (kube-ovn.md §4.16, row 62). As long as the
 * Service exists, its vip stays in the load balancers. The rule is found by name and annotation,
 * the form of every release from v1.12.
 */
export default defineRule({
  id: 'orphaned-switch-lb-service',
  class: 'leak',
  severity: 'warning',
  subject: 'Service',
  reads: ['SwitchLBRule'],
  about:
    'A Service that Kube-OVN made for a SwitchLBRule which no longer exists, or moved to another namespace: its address is still answered by the load balancers. A restart of the controller does not remove it; delete the Service, and Kube-OVN removes the address.',

  check(service, view) {
    const { metadata, spec } = service.object;
    const vip = metadata.annotations?.[VIP] ?? '';
    const rule = /^slr-(.+)$/.exec(service.name)?.[1];
    if (vip === '' || rule === undefined || metadata.deletionTimestamp !== undefined)
      return healthy;
    if (spec?.clusterIP !== 'None' || (metadata.ownerReferences ?? []).length > 0) return healthy;
    const moved = movedTo(service, view.get('SwitchLBRule', rule));
    if (moved)
      return violation({
        summary: `Service ${keyOf(service)} was made for SwitchLBRule ${rule}, which has its Service in namespace ${moved.namespace} now, and still has ${vip} answered`,
        concerns: [moved.rule],
        proof: [
          value(moved.rule, 'spec.namespace', moved.namespace),
          value(moved.rule, 'status.service', moved.service),
          value(service, `metadata.annotations[${VIP}]`, vip),
          unchanged(service),
        ],
      });
    if (view.presence('SwitchLBRule', rule) !== 'absent') return healthy;
    return violation({
      summary: `Service ${keyOf(service)} was made for SwitchLBRule ${rule}, which no longer exists, and still has ${vip} answered`,
      proof: [
        absent('SwitchLBRule', rule),
        value(service, `metadata.annotations[${VIP}]`, vip),
        unchanged(service),
      ],
    });
  },
});

/** Where the rule has its Service, once Kube-OVN has made that: not here any more. */
function movedTo(
  service: Entity<'Service'>,
  rule: Entity<'SwitchLBRule'> | undefined,
): { rule: Entity<'SwitchLBRule'>; namespace: string; service: string } | undefined {
  const { namespace = '' } = rule?.object.spec ?? {};
  const made = rule?.object.status?.service ?? '';
  return rule &&
    namespace !== '' &&
    namespace !== service.namespace &&
    made === `${namespace}/${service.name}`
    ? { rule, namespace, service: made }
    : undefined;
}
