import { ADMIN_POLICY_KEYS, ADMIN_POLICY_KINDS } from '../kube-ovn/admin-policies';
import { aclsByHolder } from '../relations/acls-by-holder';
import { portsByGroup } from '../relations/ports-by-group';
import { type Entity, referenceTo } from '../world/entity';
import { orphanedPolicyRow, POLICY_ROW_KINDS } from '../rule-kit/orphaned-policy-row';
import { DENY_ALL } from '../kube-ovn/security-groups';
import type { View } from '../rule-kit/view';
import { defineRule, unknown } from '../rule-kit/rule';

/**
 * A port group whose network policy, security group, node or subnet is deleted; its ACLs are
 * deleted with it.
 *
 * Kube-OVN removes them on the object's deletion; when it was down meanwhile, some stay until its
 * next start and some forever (kube-ovn.md §4.6–§4.8). The group of a vanished policy goes on
 * filtering its members; that of a vanished security group may be all that lets a pod's traffic
 * through, and the finding says so. Of what releases before v1.15 make without a tag, the group of a
 * security group in which no port is is reported, and never removed: v1.12 collects none of them.
 */
export default defineRule({
  id: 'orphaned-port-group',
  class: 'garbage',
  severity: 'warning',
  subject: 'Port_Group',
  reads: POLICY_ROW_KINDS,
  consults: ADMIN_POLICY_KINDS,
  about:
    'A port group whose NetworkPolicy, AdminNetworkPolicy, SecurityGroup, Node or Subnet no longer exists. Its ACLs still apply to the ports in it. A start of Kube-OVN’s controller collects those of NetworkPolicies and Nodes, from v1.13 on of SecurityGroups too, and leaves those of AdminNetworkPolicies.',
  remedy: 'delete-port-group',

  check(group, view) {
    const acls = view.related(aclsByHolder, group.uid);
    const verdict = orphanedPolicyRow(group, view, {
      what: 'port group',
      concerns: () => acls,
      then: () => cutOff(group, view),
      remedy: {
        action: 'delete-port-group',
        target: referenceTo(group),
        advice: 'delete the port group; its ACLs, which only it holds, go with it',
      },
    });
    if (verdict.is === 'violation' && !isAdmins(group) && acls.some((it) => isOfAdmin(it, group)))
      return unknown(
        `the owner of port group ${group.name} is gone, but a rule in it is an admin policy's, whose group would have that name`,
      );
    return verdict;
  },
});

/**
 * A port in use that the deny-all group lists as well. When Kube-OVN itself removes the group, as
 * soon as its SecurityGroup is deleted, it leaves the port there just the same (kube-ovn.md §4.8);
 * only its next start takes a port out whose groups are all deleted.
 */
function cutOff(
  group: Entity<'Port_Group'>,
  view: View<'Port_Group' | 'Logical_Switch_Port'>,
): string | undefined {
  if (!Object.hasOwn(group.object.external_ids ?? {}, 'sg')) return undefined;
  const denied = (entity: Entity<'Logical_Switch_Port'>): boolean =>
    entity.object.up === true &&
    (entity.object._port_groups ?? []).some(
      (uid) => view.identity('Port_Group', uid)?.name === DENY_ALL,
    );
  const [port] = view
    .related(portsByGroup, group.uid)
    .filter(denied)
    .map((it) => it.name)
    .sort();
  return port === undefined
    ? undefined
    : `without its rules port ${port}, which is up and in ${DENY_ALL} as well, gets through only what other groups let through`;
}

/**
 * By the names of such policies' rules; by tier as well in the group of a NetworkPolicy, whose
 * rules are in tier 2, or in none (kube-ovn.md §3.4).
 */
function isOfAdmin(acl: Entity<'ACL'>, group: Entity<'Port_Group'>): boolean {
  const tier = acl.object['tier'];
  return (
    /^(?:anp|banp|cnp)\//.test(acl.name) ||
    (Object.hasOwn(group.object.external_ids ?? {}, 'np') && (tier === 1 || tier === 3))
  );
}

const isAdmins = ({ object: { external_ids: ids = {} } }: Entity<'Port_Group'>): boolean =>
  ADMIN_POLICY_KINDS.some((it) => Object.hasOwn(ids, ADMIN_POLICY_KEYS[it].key));
