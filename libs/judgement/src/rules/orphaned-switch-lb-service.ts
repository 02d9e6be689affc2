import { defineRule, healthy, violation } from '../rule-kit/rule';
import { keyOf } from '../world/entity';
import { absent, unchanged, value } from '../rule-kit/facts';

const VIP = 'ovn.kubernetes.io/switch_lb_vip';

/**
 * The headless Service that Kube-OVN created for a SwitchLBRule, which is deleted.
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
    'A Service that Kube-OVN made for a SwitchLBRule which no longer exists: its address is still answered by the load balancers. A restart of the controller does not remove it; delete the Service, and Kube-OVN removes the address.',

  check(service, view) {
    const { metadata, spec } = service.object;
    const vip = metadata.annotations?.[VIP] ?? '';
    const rule = /^slr-(.+)$/.exec(service.name)?.[1];
    if (vip === '' || rule === undefined || metadata.deletionTimestamp !== undefined)
      return healthy;
    if (spec?.clusterIP !== 'None' || (metadata.ownerReferences ?? []).length > 0) return healthy;
    if (view.presence('SwitchLBRule', rule) !== 'absent') return healthy;
    return violation({
      says: `Service ${keyOf(service)} was made for SwitchLBRule ${rule}, which no longer exists, and still has ${vip} answered`,
      proof: [
        absent('SwitchLBRule', rule),
        value(service, `metadata.annotations[${VIP}]`, vip),
        unchanged(service),
      ],
    });
  },
});
