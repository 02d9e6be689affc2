import type { Entity } from '../world/entity';
import { rulesWithoutAcl } from '../rule-kit/security-group-rules';
import type { View } from '../rule-kit/view';
import { aclsByDirection } from '../relations/acls-by-direction';
import { defineRule, healthy, violation, type Violation } from '../rule-kit/rule';
import { absentRow, present, unclaimed, value } from '../rule-kit/facts';

/**
 * The rules of a SecurityGroup, the direction of the ACLs that Kube-OVN makes of them, and the end
 * of the peer.
 */
const DIRECTIONS = [
  ['ingressRules', 'to-lport', 'ingressLastSyncSuccess', 'src'],
  ['egressRules', 'from-lport', 'egressLastSyncSuccess', 'dst'],
] as const;

/**
 * A security group that Kube-OVN has handled, and that has no port group, or no ACLs for rules it
 * has.
 *
 * Kube-OVN deletes the ACLs of a direction before it recreates them, and goes by the checksums in
 * the status from then on, so what is lost stays lost until the rules change; at its start it
 * checks for the ACL of each rule (kube-ovn.md §5, row 70a). Rules that share a priority are told
 * apart by the matches of their ACLs. A group without rules has ACLs for ARP and the like, or none
 * in old releases.
 *
 * A port that names a group which exists is in `ovn.sg.kubeovn_deny_all` as well: without its ACLs
 * nothing passes. One of whose groups none exists is not: then everything does.
 */
export default defineRule({
  id: 'security-group-without-acls',
  class: 'drift',
  severity: 'critical',
  subject: 'SecurityGroup',
  reads: ['Port_Group', 'ACL'],
  about:
    'A SecurityGroup with rules that is not enforced. Without its port group, ports that name no other receive everything; without the ACLs of a direction they receive nothing there. A change of its rules or a restart of the controller creates them again.',

  check(securityGroup, view) {
    const { metadata, spec, status } = securityGroup.object;
    const name = status?.portGroup ?? '';
    if (metadata.deletionTimestamp !== undefined || name === '') return healthy;
    const group = view.get('Port_Group', name);
    if (!group)
      return violation({
        summary: `SecurityGroup ${securityGroup.name} has no port group: ${name} does not exist, and no port can be put into it`,
        proof: [value(securityGroup, 'status.portGroup', name), absentRow('Port_Group', name)],
      });
    const bare = DIRECTIONS.filter(
      ([rules, direction]) =>
        ((spec?.[rules] ?? []).length > 0 || spec?.allowSameGroupTraffic === true) &&
        !view.has(aclsByDirection, `${group.uid} ${direction}`),
    );
    return violation(
      ...lostRules(securityGroup, group, view),
      ...bare.map(([rules, direction]) => ({
        summary: `SecurityGroup ${securityGroup.name} asks for rules, and its port group ${name} has no ${direction} ACL`,
        part: { column: 'spec', key: rules },
        concerns: [group],
        proof: [
          present(securityGroup),
          value(securityGroup, 'status.portGroup', name),
          present(group),
          unclaimed('ACL', 'port group and direction', `${name} ${direction}`),
        ],
      })),
    );
  },
});

/**
 * Rules without their ACL, in a direction that Kube-OVN has written with success and where other
 * ACLs are.
 */
const lostRules = (
  securityGroup: Entity<'SecurityGroup'>,
  group: Entity<'Port_Group'>,
  view: View<'ACL'>,
): Violation[] =>
  DIRECTIONS.flatMap(([rules, direction, synced, end]) => {
    const { spec, status } = securityGroup.object;
    if (status?.[synced] !== true) return [];
    const acls = view.related(aclsByDirection, `${group.uid} ${direction}`);
    const lost = rulesWithoutAcl(spec?.[rules] ?? [], acls, end);
    return lost.map((rule) => ({
      summary: `SecurityGroup ${securityGroup.name} has ${rules} of priority ${rule}, and its port group ${group.name} has no ${direction} ACL for them`,
      part: { column: `spec.${rules}`, key: rule },
      concerns: [group],
      proof: [
        present(securityGroup),
        value(securityGroup, `status.${synced}`, 'true'),
        present(group),
        unclaimed(
          'ACL',
          'port group, direction and priority of the rule',
          `${group.name} ${direction} ${rule}`,
        ),
      ],
    }));
  });
