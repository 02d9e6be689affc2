import { policiesByPortGroup } from '../relations/policies-by-port-group';
import { policyGroups } from '../relations/policy-groups';
import type { Entity, Identity } from '../world/entity';
import { selects } from '../world/label-selector';
import { isAlive } from '../world/pod-networks';
import { defineRule, healthy, present, unknown, value, violation } from './rule';

/**
 * A pod's port in the group of a network policy that does not select the pod any more.
 *
 * The controller takes ports in and out when labels or policies change; what changed while it was down, or failed as a
 * whole because one listed port was gone, stays (kube-ovn.md row 70). Two policies may share a group, so the port is in
 * it rightly as long as any of them selects the pod.
 */
export default defineRule({
  id: 'stale-port-group-member',
  class: 'drift',
  severity: 'warning',
  subject: 'Logical_Switch_Port',
  reads: ['Pod', 'NetworkPolicy', 'Port_Group'],
  about: 'A port in the group of a NetworkPolicy that does not select its pod any more. The policy still filters the pod\'s traffic, or still lets it through.',

  check(port, view) {
    const groups = port.object._port_groups ?? [];
    const pod = groups.length > 0 ? view.get('Pod', port.object.external_ids?.['pod'] ?? '') : undefined;
    if (!pod || !isAlive(pod) || port.object.external_ids?.['vendor'] !== 'kube-ovn') return healthy;
    const stale: { group: Identity<'Port_Group'>; policies: readonly Entity<'NetworkPolicy'>[] }[] = [];
    for (const uid of groups) {
      const group = view.identity('Port_Group', uid);
      if (!group || !view.has(policyGroups, uid)) continue;
      const policies = view.related(policiesByPortGroup, group.name);
      const each = policies.map((it) => takes(it, pod));
      if (policies.length === 0 || each.includes(true)) continue;
      if (each.includes(undefined)) return unknown(`a policy of port group ${group.name} selects pods in a way this version does not know`);
      stale.push({ group, policies: [...policies].sort((a, b) => (a.uid < b.uid ? -1 : 1)) });
    }
    if (stale.length === 0) return healthy;
    const owner = view.ownership(port);
    if (owner.owner !== 'kube-ovn') return healthy;

    return violation(
      ...stale.map(({ group, policies }) => ({
        says: `port ${port.name} is in port group ${group.name}, but ${policies.map((it) => `NetworkPolicy ${it.namespace}/${it.name}`).join(' and ')} does not select pod ${pod.namespace}/${pod.name}`,
        owner,
        part: { column: '_port_groups', key: group.name },
        concerns: [view.byUid('Port_Group', group.uid)!],
        proof: [present(pod), value(pod, 'metadata.labels', pod.object.metadata.labels ? JSON.stringify(pod.object.metadata.labels) : ''), ...policies.map((it) => value(it, 'spec.podSelector', JSON.stringify(it.object.spec?.podSelector))), present(group)],
      })),
    );
  },
});

/** Whether the policy takes the pod; one whose selector was not read takes every pod of its namespace. */
function takes({ namespace, object: { spec } }: Entity<'NetworkPolicy'>, pod: Entity<'Pod'>): boolean | undefined {
  if (namespace !== pod.namespace) return false;
  return spec?.podSelector ? selects(spec.podSelector, pod.object.metadata.labels ?? {}) : true;
}
