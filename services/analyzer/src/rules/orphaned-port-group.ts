import { aclsByHolder } from '../relations/acls-by-holder';
import { keyOf, referenceTo } from '../world/entity';
import { livingReferrer } from '../world/living-referrer';
import { namesakeOf } from '../world/namesake';
import { absentOwners, POLICY_OWNER_KINDS, presenceOf, readingsOf } from '../world/policy-owners';
import { absent, defineRule, healthy, unchanged, unknown, value, violation } from './rule';

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

  check(group, view) {
    const owner = view.ownership(group);
    if (owner.verdict !== 'candidate') return healthy;
    const readings = readingsOf(group.object.external_ids ?? {});
    if (!readings) return healthy;
    const each = readings.map((it) => presenceOf(it, view));
    if (each.includes('present')) return healthy;
    if (each.includes('unknown')) return unknown(`not every possible owner of port group ${group.name} is known`);
    const namesake = namesakeOf(group, view);
    if (namesake) return unknown(`the owner of port group ${group.name} is gone, but ${namesake.kind} ${keyOf(namesake)} has a port group of that name`);
    const reader = livingReferrer(group, view);
    if (reader) return unknown(`the owner of port group ${group.name} is gone, but ${reader.kind} ${reader.name || reader.uid} still names it`);

    const gone = absentOwners(readings, view);
    return violation({
      says: `port group ${group.name} belongs to ${gone[0]!.kind} ${gone[0]!.key}, which no longer exists`,
      owner,
      concerns: view.related(aclsByHolder, group.uid),
      proof: [...gone.map((it) => absent(it.kind, it.key)), value(group, 'external_ids', JSON.stringify(group.object.external_ids ?? {})), unchanged(group)],
      remedy: { action: 'delete-port-group', target: referenceTo(group), advice: 'delete the port group; its ACLs, which only it holds, go with it' },
    });
  },
});
