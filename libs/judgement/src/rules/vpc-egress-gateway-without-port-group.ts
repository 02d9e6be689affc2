import { ascendingBy } from '@ovn-steward/shared/compare';
import { GATEWAY_TABLES, rowsByGateway } from '../relations/rows-by-gateway';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { type Entity, keyOf } from '../world/entity';
import { absentRow, present, value } from '../rule-kit/facts';

/** The address set that OVN makes of the group's members, in the match of a router policy. */
const MEMBERS = /\$(VEG\.[0-9a-f]{12})(_ip[46])\b/;

/**
 * A VPC egress gateway that selects pods, and whose router policies name a port group that does not
 * exist.
 *
 * Releases up to v1.15.16 and v1.16.0 to v1.16.2 delete the group at each start, taking it for that
 * of a security group (kube-ovn.md §4.8, row 11; in v1.14.41 and v1.16.2 it was seen to stay missing
 * until the next change of the gateway). OVN leaves out a policy whose match names what there is
 * not: the pods then leave the VPC by its default route, with an address that nobody expects. A
 * gateway without selectors has no group, and an empty address set of that name instead (§3.4).
 */
export default defineRule({
  id: 'vpc-egress-gateway-without-port-group',
  class: 'drift',
  severity: 'critical',
  subject: 'VpcEgressGateway',
  reads: [...GATEWAY_TABLES],
  about:
    'A VpcEgressGateway that selects pods, whose port group is missing: the traffic of those pods does not go through it. Any change of the object, such as an annotation, creates the group again. So does a restart of the controller, except up to v1.15.16 and in v1.16.0 to v1.16.2, where each restart deletes it: upgrade.',

  check(gateway, view) {
    const { metadata, spec } = gateway.object;
    if (metadata.deletionTimestamp !== undefined || (spec?.selectors ?? []).length === 0)
      return healthy;
    const policies = view
      .related(rowsByGateway, `vpc-egress-gateway ${keyOf(gateway)}`)
      .filter((it): it is Entity<'Logical_Router_Policy'> => it.kind === 'Logical_Router_Policy')
      .filter((it) => nameOf(it, view) !== undefined)
      .sort(ascendingBy((it) => it.uid));
    if (policies.length === 0) return healthy;
    const group = nameOf(policies[0]!, view)!;
    return violation({
      summary: `VpcEgressGateway ${keyOf(gateway)} selects pods, and its port group ${group} does not exist: ${policies.length} of its router policies ${policies.length === 1 ? 'matches' : 'match'} nothing`,
      concerns: policies,
      proof: [
        present(gateway),
        absentRow('Port_Group', group),
        ...policies.map((it) => value(it, 'match', it.object.match ?? '')),
      ],
    });
  },
});

/** The group that the policy's match names and that does not exist, nor a set in its stead. */
function nameOf(
  policy: Entity<'Logical_Router_Policy'>,
  view: View<'Port_Group' | 'Address_Set'>,
): string | undefined {
  const [, group, suffix] = MEMBERS.exec(policy.object.match ?? '') ?? [];
  return group !== undefined &&
    view.presence('Port_Group', group) === 'absent' &&
    view.presence('Address_Set', `${group}${suffix}`) === 'absent'
    ? group
    : undefined;
}
