import { ascendingBy } from '@ovn-steward/shared/compare';
import type { Fact } from '@ovn-steward/contracts/findings/finding';
import {
  ADMIN_POLICY_KEYS,
  ADMIN_POLICY_KINDS,
  type AdminPolicyKind,
  adminPolicySelects,
  groupOfAdminPolicy,
  keyOfAdminPolicy,
} from '../kube-ovn/admin-policies';
import { networksUnder } from '../kube-ovn/policy-selection';
import { podNetworks } from '../kube-ovn/pod-networks';
import { DENY_ALL, keyOfMember } from '../kube-ovn/security-groups';
import { adminPolicies } from '../relations/admin-policies';
import { adminPoliciesByGroup } from '../relations/admin-policies-by-group';
import { policiesByNamespace } from '../relations/policies-by-namespace';
import { policiesByPortGroup } from '../relations/policies-by-port-group';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { enforcesAdminPolicies, enforcesPolicies } from '../rule-kit/controller-flags';
import { podsOfPort } from '../rule-kit/pods-of-port';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { type Entity, keyOf } from '../world/entity';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { present, value } from '../rule-kit/facts';

/** The policy that selects a pod, or the SecurityGroup that the pod names. */
type GroupOwner = Entity<'NetworkPolicy'> | Entity<'SecurityGroup'> | Entity<AdminPolicyKind>;

interface ExpectedMember {
  readonly group: string;
  readonly because: readonly Fact[];
  readonly groupOwner: GroupOwner;
  readonly pod: Entity<'Pod'>;
  /**
   * The port lacks the key of the security group, by which its members are found
   * (`syncSgLogicalPort`, pkg/controller/security_group.go): no start puts it there. The key of a
   * new port has the blanks of the annotation, a change of the annotation writes it without.
   */
  readonly lacksKey?: boolean;
}

/**
 * A living pod's port that is missing in the group of a network policy, or one of an administrator,
 * that selects the pod, or of a security group that the pod names.
 *
 * The other way round is `stale-port-group-member`. A machine's port is taken out when the launcher
 * goes that the machine left by migration, though the other lives (kube-ovn.md row 21), and a group
 * keeps the members it had when they cannot be set as a whole (row 70). Kube-OVN sets them by what
 * its pods say, whether or not these are secured by `port_security` (§5), and every port of a pod
 * that names a security group which exists into that which drops the rest. A group that does not
 * exist is the finding of its policy.
 */
export default defineRule({
  id: 'missing-port-group-member',
  class: 'drift',
  severity: 'critical',
  subject: 'Logical_Switch_Port',
  reads: [...CONTROLLER_KINDS, 'NetworkPolicy', 'SecurityGroup', 'Port_Group'],
  consults: [...ADMIN_POLICY_KINDS, 'Namespace'],
  about:
    'The port of an existing pod is not in the port group of a NetworkPolicy, AdminNetworkPolicy or its like that selects the pod, or of a SecurityGroup that it names, which is therefore not enforced for it. A change of the labels that the policy selects by, or of the rules of the group, sets the members again, and so does a restart of the controller, but not where the port lacks the key of the SecurityGroup: then change the annotation of the pod while the controller runs.',

  check(port, view) {
    const { type = '', external_ids: ids = {} } = port.object;
    if (type !== '' || ids['vendor'] !== 'kube-ovn') return healthy;
    const expected = podsOfPort(port, view).flatMap((pod) => [
      ...policiesFor(pod, port, view),
      ...securityGroupsFor(pod, port, view),
      ...adminPoliciesFor(pod, view),
    ]);
    if (expected.length === 0) return healthy;
    const groups = port.object._port_groups ?? [];
    const unmet = expected.filter((member) => {
      const called = view.identities('Port_Group', member.group);
      return (
        called.length > 0 &&
        !called.some(({ uid }) => groups.includes(uid)) &&
        (member.groupOwner.kind !== 'NetworkPolicy' || enforcesPolicies(view))
      );
    });
    const owner = unmet.length > 0 ? view.ownership(port) : undefined;
    return violation(
      ...[...new Set(unmet.map((it) => it.group))].sort().map((name) => {
        const of = unmet.filter((it) => it.group === name).sort(ascendingBy(textOf));
        const group = view.get('Port_Group', name)!;
        return {
          summary: `port ${port.name} is not in port group ${name}, though ${[...new Set(of.map(textOf))].join(' and ')}`,
          owner: owner!,
          part: { column: '_port_groups', key: name },
          concerns: [group, ...new Set(of.map((it) => it.pod))],
          proof: [
            present(port),
            present(group),
            ...[...new Set(of.map((it) => it.groupOwner))].map(present),
            ...of.flatMap((it) => it.because),
          ],
        };
      }),
    );
  },
});

const textOf = ({ groupOwner, pod, lacksKey }: ExpectedMember): string =>
  groupOwner.kind === 'SecurityGroup'
    ? `pod ${keyOf(pod)} is to be in SecurityGroup ${groupOwner.name}${lacksKey ? `, whose key ${keyOfMember(groupOwner.name)} the port lacks` : ''}`
    : `${groupOwner.kind} ${keyOf(groupOwner)} selects pod ${keyOf(pod)}`;

const policiesFor = (
  pod: Entity<'Pod'>,
  port: Entity<'Logical_Switch_Port'>,
  view: View<'NetworkPolicy'>,
): ExpectedMember[] =>
  view
    .related(policiesByNamespace, pod.namespace ?? '')
    .filter(
      (policy) =>
        !isBeingDeleted(policy) &&
        networksUnder(policy, pod).some(({ portName }) => portName === port.name),
    )
    .flatMap((groupOwner) =>
      policiesByPortGroup.keys(groupOwner).map((group) => ({
        group,
        groupOwner,
        pod,
        because: [
          value(
            groupOwner,
            'spec.podSelector',
            JSON.stringify(groupOwner.object.spec?.podSelector),
          ),
          value(pod, 'metadata.labels', jsonOf(pod.object.metadata.labels)),
        ],
      })),
    );

const jsonOf = (it: unknown): string => (it === undefined ? '' : JSON.stringify(it));

/**
 * As Kube-OVN reads the annotation: separated by commas, whatever blanks there are. What these
 * groups do not let through is dropped in the group that has all such ports.
 */
const securityGroupsFor = (
  pod: Entity<'Pod'>,
  port: Entity<'Logical_Switch_Port'>,
  view: View<'SecurityGroup' | 'Port_Group'>,
): ExpectedMember[] => {
  const { provider } = podNetworks(pod).find(({ portName }) => portName === port.name)!;
  const key = `${provider}.kubernetes.io/security_groups`;
  const annotation = pod.object.metadata.annotations?.[key] ?? '';
  const because = [value(pod, `metadata.annotations[${key}]`, annotation)];
  const names = new Set(annotation.replaceAll(' ', '').split(',').filter(Boolean));
  return [...names].flatMap((name) => {
    const groupOwner = view.get('SecurityGroup', name);
    const group = groupOwner?.object.status?.portGroup;
    if (!groupOwner || !group || isBeingDeleted(groupOwner)) return [];
    if (view.presence('Port_Group', group) !== 'present') return [];
    const lacksKey = port.object.external_ids?.[keyOfMember(name)] !== 'true';
    return [group, DENY_ALL].map((it) => ({ group: it, groupOwner, pod, because, lacksKey }));
  });
};

/**
 * Kube-OVN puts all of a pod's ports into the group; of a namespace whose labels change it forgets
 * those that the policy selects by the labels of their pods as well (pkg/controller/namespace.go).
 */
const adminPoliciesFor = (
  pod: Entity<'Pod'>,
  view: View<AdminPolicyKind | 'Namespace' | 'Port_Group' | (typeof CONTROLLER_KINDS)[number]>,
): ExpectedMember[] => {
  // First of all, so that without such policies a change to a Namespace is none to the ports of all
  // its pods.
  if (!view.has(adminPolicies, 'any') || !enforcesAdminPolicies(view)) return [];
  const namespace = view.get('Namespace', pod.namespace ?? '');
  if (!namespace) return [];
  return view.related(adminPolicies, 'any').flatMap((groupOwner) => {
    if (isBeingDeleted(groupOwner) || adminPolicySelects(groupOwner, pod, namespace) !== true)
      return [];
    const group = groupOfAdminPolicy(groupOwner);
    // Of two that share a group each writes the members anew, and its key need not tell them apart.
    if (view.related(adminPoliciesByGroup, group, 2).length > 1) return [];
    const ids = view.get('Port_Group', group)?.object.external_ids ?? {};
    if (ids[ADMIN_POLICY_KEYS[groupOwner.kind].key] !== keyOfAdminPolicy(groupOwner)) return [];
    const because = [
      value(groupOwner, 'spec.subject', JSON.stringify(groupOwner.object.spec?.subject)),
      value(namespace, 'metadata.labels', jsonOf(namespace.object.metadata.labels)),
      value(pod, 'metadata.labels', jsonOf(pod.object.metadata.labels)),
    ];
    return [{ group, groupOwner, pod, because }];
  });
};
