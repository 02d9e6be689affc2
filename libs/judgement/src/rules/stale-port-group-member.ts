import { ascendingBy } from '@ovn-steward/shared/compare';
import type { Ownership } from '@ovn-steward/contracts/findings/finding';
import { ADMIN_POLICY_KINDS } from '../kube-ovn/admin-policies';
import { policiesByPortGroup } from '../relations/policies-by-port-group';
import { policyGroups } from '../relations/policy-groups';
import { type Entity, keyOf, referenceTo } from '../world/entity';
import { selectsPod } from '../kube-ovn/policy-selection';
import { type RowNameOwnerKind, ownerByRowName } from '../rule-kit/owner-by-row-name';
import { isAlive } from '../kube-ovn/pod-networks';
import {
  defineRule,
  healthy,
  unknown,
  type Verdict,
  type Violation,
  violation,
} from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { present, value } from '../rule-kit/facts';

/** Whose interfaces bear their own name, not that of the pod they run in. */
const MACHINES = ['VirtualMachine', 'VirtualMachineInstance'] as const;

/**
 * A pod's port in the group of a network policy that does not select the pod any more.
 *
 * The controller takes ports in and out when labels or policies change; what changed while it was
 * down, or failed as a whole because one listed port did not exist, stays (kube-ovn.md row 70). Two
 * policies may share a group, so the port is in it rightly as long as any of them selects the pod,
 * and a group that a node, a subnet or a security group shares is not judged (§3.4, row 69). A
 * machine's port has the machine's name, and a pod of that name is not the one that runs it (§2).
 *
 * To take the port out is what the controller does when it handles the policy the next time: it
 * sets the group to the ports of the pods selected. The port itself exists, for the database drops
 * a deleted one out of every group by itself.
 */
export default defineRule({
  id: 'stale-port-group-member',
  class: 'drift',
  severity: 'warning',
  subject: 'Logical_Switch_Port',
  reads: ['Pod', 'NetworkPolicy', 'Port_Group', 'SecurityGroup', 'IPPool', 'Node', 'Subnet', 'Vpc'],
  consults: [...MACHINES, ...ADMIN_POLICY_KINDS],
  about:
    "A port in the group of a NetworkPolicy that does not select its pod any more. The policy still filters the pod's traffic, or still lets it through. A start of Kube-OVN’s controller takes it out.",
  remedy: 'remove-port-group-member',

  check(port, view) {
    const groups = port.object._port_groups ?? [];
    const pod =
      groups.length > 0 ? view.get('Pod', port.object.external_ids?.['pod'] ?? '') : undefined;
    if (!pod || !isAlive(pod) || port.object.external_ids?.['vendor'] !== 'kube-ovn')
      return healthy;
    const stale: Stale[] = [];
    for (const uid of groups) {
      const found = staleGroup(uid, pod, view);
      if (found && 'is' in found) return found;
      if (found) stale.push(found);
    }
    if (stale.length === 0) return healthy;
    const machines = MACHINES.map((it) => view.presence(it, keyOf(pod)));
    if (machines.includes('present')) return healthy;
    if (machines.includes('unknown'))
      return unknown(
        `not known whether a virtual machine is called ${keyOf(pod)}, whose port this would be`,
      );
    const owner = view.ownership(port);
    if (owner.owner !== 'kube-ovn') return healthy;

    return violation(...stale.map((it) => violationOf(port, pod, it, owner, view)));
  },
});

interface Stale {
  readonly group: Entity<'Port_Group'>;
  readonly policies: readonly Entity<'NetworkPolicy'>[];
}

type Consulted = View<'Port_Group' | RowNameOwnerKind>;

/** The group where none of its policies selects the pod; undefined where it is rightly in it. */
function staleGroup(uid: string, pod: Entity<'Pod'>, view: Consulted): Stale | Verdict | undefined {
  if (!view.has(policyGroups, uid)) return undefined;
  const called = view.identity('Port_Group', uid);
  if (!called) return undefined;
  const listed = view.related(policiesByPortGroup, called.name);
  // Read by their keys, since a list may be seconds old: the executor verifies their content
  // until the last moment.
  const policies = listed.flatMap((it) => view.get('NetworkPolicy', keyOf(it)) ?? []);
  if (policies.length < listed.length)
    return unknown(`a policy of port group ${called.name} went a moment ago`);
  const each = policies.map((it) => selectsPod(it, pod));
  if (policies.length === 0 || each.includes(true)) return undefined;
  if (each.includes(undefined))
    return unknown(
      `a policy of port group ${called.name} selects pods in a way this version does not know`,
    );
  const group = view.byUid('Port_Group', uid)!;
  const other = ownerByRowName(group, view, 'NetworkPolicy');
  if (other)
    return unknown(`port group ${group.name} is that of ${other.kind} ${keyOf(other)} as well`);
  return { group, policies: [...policies].sort(ascendingBy((it) => it.uid)) };
}

const violationOf = (
  port: Entity<'Logical_Switch_Port'>,
  pod: Entity<'Pod'>,
  { group, policies }: Stale,
  owner: Ownership,
  view: Consulted,
): Violation => ({
  summary: `port ${port.name} is in port group ${group.name}, but ${policies.map((it) => `NetworkPolicy ${it.namespace}/${it.name}`).join(' and ')} does not select pod ${pod.namespace}/${pod.name}`,
  owner,
  part: { column: '_port_groups', key: group.name },
  concerns: [group],
  proof: [
    present(pod),
    value(
      pod,
      'metadata.labels',
      pod.object.metadata.labels ? JSON.stringify(pod.object.metadata.labels) : '',
    ),
    ...policies.map((it) =>
      value(it, 'spec.podSelector', JSON.stringify(it.object.spec?.podSelector)),
    ),
    present(group),
  ],
  ...(owner.verdict === 'candidate' && view.ownership(group as Entity).verdict === 'candidate'
    ? {
        remedy: {
          action: 'remove-port-group-member',
          target: referenceTo(group, { column: 'ports', key: port.uid }),
          advice: 'take the port out of the group; both stay',
        },
      }
    : {}),
});
