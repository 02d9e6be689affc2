import { aclsByHolder } from '../relations/acls-by-holder';
import { referenceTo } from '../world/entity';
import { orphanedPolicyRow } from '../world/orphaned-policy-row';
import { POLICY_OWNER_KINDS } from '../world/policy-owners';
import { defineRule } from './rule';

/**
 * A port group whose network policy, security group, node or subnet is gone; its ACLs go with it.
 *
 * Kube-OVN removes them on the object's deletion; when it was down meanwhile, some stay until its next start and some
 * for ever (kube-ovn.md §4.6–§4.8, kube-ovn-live.md). The group of a vanished policy goes on filtering its members.
 */
export default defineRule({
  id: 'orphaned-port-group',
  class: 'garbage',
  severity: 'warning',
  subject: 'Port_Group',
  reads: [...POLICY_OWNER_KINDS, 'ACL', 'Port_Group', 'Logical_Router'],
  about: 'A port group whose NetworkPolicy, SecurityGroup, Node or Subnet no longer exists. Its ACLs still apply to the ports in it.',
  remedy: 'delete-port-group',

  check: (group, view) =>
    orphanedPolicyRow(group, view, {
      what: 'port group',
      concerns: () => view.related(aclsByHolder, group.uid),
      remedy: { action: 'delete-port-group', target: referenceTo(group), advice: 'delete the port group; its ACLs, which only it holds, go with it' },
    }),
});
