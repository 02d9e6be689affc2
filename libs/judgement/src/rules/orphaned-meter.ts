import { policiesByPortGroup } from '../relations/policies-by-port-group';
import { type Entity, referenceTo } from '../world/entity';
import { userOf } from '../rule-kit/user-of';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { absentRow, unchanged, unclaimed, unreferenced, value } from '../rule-kit/facts';

const OF_GROUP = /^(.+)_(?:to|from)-lport_meter$/s;

/**
 * The meter that limits what the ACLs of a network policy log, whose port group is deleted.
 *
 * Kube-OVN makes one for each direction beside the group, and forgets it when the group was deleted
 * first (kube-ovn.md §3.4, §4.6, row 66).
 */
export default defineRule({
  id: 'orphaned-meter',
  class: 'garbage',
  severity: 'info',
  subject: 'Meter',
  reads: ['Port_Group', 'NetworkPolicy', 'ACL'],
  about:
    'A meter for the log of a NetworkPolicy whose port group no longer exists. No ACL names it. A restart does not remove it.',
  remedy: 'delete-meter',

  check(meter, view) {
    const group = OF_GROUP.exec(meter.name)?.[1];
    // Of a policy without a group the controller is about to make both.
    if (
      group === undefined ||
      view.presence('Port_Group', group) === 'present' ||
      view.has(policiesByPortGroup, group)
    )
      return healthy;
    const owner = view.ownership(meter);
    if (owner.verdict !== 'candidate') return healthy;
    const user = userOf(meter as Entity, view);
    if (user)
      return unknown(`there is no port group ${group}, yet ${user} names its meter ${meter.name}`);

    return violation({
      summary: `meter ${meter.name} is of port group ${group}, which no longer exists`,
      owner,
      proof: [
        absentRow('Port_Group', group),
        unclaimed('NetworkPolicy', 'port group', group),
        unreferenced(meter),
        value(meter, 'external_ids', JSON.stringify(meter.object.external_ids ?? {})),
        unchanged(meter),
      ],
      remedy: {
        action: 'delete-meter',
        target: referenceTo(meter),
        advice: 'delete the meter; no ACL names it',
      },
    });
  },
});
