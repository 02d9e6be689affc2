import { type Entity, referenceTo } from '../world/entity';
import { userOf } from '../rule-kit/user-of';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { absent, absentRow, unchanged, unreferenced, value } from '../rule-kit/facts';

const OF_VPC = /^bfd@(.+)$/s;

/**
 * The group of gateway chassis of a VPC's BFD port, whose VPC, router and port are deleted.
 *
 * Kube-OVN deletes the router and leaves the group (kube-ovn.md §7.3, row 44).
 */
export default defineRule({
  id: 'orphaned-ha-chassis-group',
  class: 'garbage',
  severity: 'info',
  subject: 'HA_Chassis_Group',
  reads: ['Vpc', 'Logical_Router', 'Logical_Router_Port', 'Logical_Switch_Port'],
  about:
    'A group of gateway chassis made for the BFD port of a Vpc that no longer exists. No port has it. A restart does not remove it.',
  remedy: 'delete-ha-chassis-group',

  check(group, view) {
    const vpc = OF_VPC.exec(group.name)?.[1];
    if (
      vpc === undefined ||
      view.presence('Vpc', vpc) === 'present' ||
      view.presence('Logical_Router', vpc) === 'present'
    )
      return healthy;
    const owner = view.ownership(group);
    if (owner.verdict !== 'candidate') return healthy;
    const user = userOf(group as Entity, view);
    if (user)
      return unknown(
        `neither Vpc nor router ${vpc} exists, yet ${user} has its group ${group.name}`,
      );

    return violation({
      summary: `HA chassis group ${group.name} was made for Vpc ${vpc}, which no longer exists`,
      owner,
      proof: [
        absent('Vpc', vpc),
        absentRow('Logical_Router', vpc),
        unreferenced(group),
        value(group, 'external_ids', JSON.stringify(group.object.external_ids ?? {})),
        unchanged(group),
      ],
      remedy: {
        action: 'delete-ha-chassis-group',
        target: referenceTo(group),
        advice: 'delete the group; no port has it',
      },
    });
  },
});
