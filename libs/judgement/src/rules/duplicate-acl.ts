import { ascendingBy } from '@ovn-steward/shared/compare';
import { aclsByRule } from '../relations/acls-by-rule';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import { present, value } from '../rule-kit/facts';

/**
 * An ACL of Kube-OVN's that its group or switch has twice.
 *
 * Kube-OVN takes direction, priority, match and tier for one ACL, whatever it does, and up to
 * v1.13.14 and v1.14.4 ends with an error wherever it finds two: the controller does not start, or
 * cannot be upgraded (kube-ovn.md §5, row 65). Later releases pass over it. They come of rules that
 * say the same twice, in a policy, a security group or a subnet, and then come again whenever the
 * controller writes them; so nothing is removed here. The first by uuid is the one of which the
 * others are doubles.
 *
 * Up to v1.14 Kube-OVN writes the ACL by which a NetworkPolicy drops the rest once for each family of
 * its pods, and it is the same for both (`UpdateIngressACLOps`, pkg/ovs/ovn-nb-acl.go, seen with
 * v1.14.41): the policy is in order, and has address sets of both.
 *
 * From v1.15 on an `ipBlock` is in the match itself, so that two rules of a NetworkPolicy for the
 * same blocks give one ACL each for a port that both name. Such releases pass over doubles, and the
 * policy is in order.
 */
export default defineRule({
  id: 'duplicate-acl',
  class: 'drift',
  severity: 'warning',
  subject: 'ACL',
  reads: ['Port_Group', 'Logical_Switch', 'Address_Set'],
  about:
    'A group or switch has the same ACL of Kube-OVN twice, which old releases of its controller do not handle: they fail at each start. Remove equal rules from the policy, security group or subnet, then delete all but one of the ACLs; a restart of v1.17 does so itself.',

  check(acl, view) {
    const parent = acl.object.external_ids?.['parent'] ?? '';
    if (parent === '') return healthy;
    const [first, ...more] = aclsByRule
      .keys(acl)
      .flatMap((key) => view.related(aclsByRule, key))
      .filter((it) => it.object.external_ids?.['parent'] === parent)
      .sort(ascendingBy((it) => it.uid));
    if (!first || first.uid === acl.uid || more.length === 0) return healthy;
    const holder = holderOf(acl, view);
    if (holder?.name !== parent || isOfTwoRules(acl, parent, view)) return healthy;
    if (more.length === 1 && isOfTwoFamilies(acl, parent, view)) return healthy;
    const { direction = '', priority = 0, match = '' } = acl.object;
    const does = acl.object.action ?? '';
    const other = first.object.action ?? '';
    const but = does === other ? '' : `, and one says ${other}, the other ${does}`;
    return violation({
      summary: `${holder.kind === 'Port_Group' ? 'port group' : 'switch'} ${parent} has the same ${direction} ACL of priority ${priority} twice: ${match}${but}`,
      owner: view.ownership(acl),
      concerns: [first],
      proof: [
        present(first),
        value(acl, 'direction', direction),
        value(acl, 'priority', String(priority)),
        value(acl, 'match', match),
        value(acl, 'external_ids[parent]', parent),
      ],
    });
  },
});

const holderOf = (acl: Entity<'ACL'>, view: View<'Port_Group' | 'Logical_Switch'>) =>
  parentsOf(acl).flatMap(
    ({ uid }) => view.identity('Port_Group', uid) ?? view.identity('Logical_Switch', uid) ?? [],
  )[0];

const OF_BLOCK = /ip[46]\.(?:src|dst) == [\d.:a-fA-F]+\//;

/** Whether two rules of a NetworkPolicy may have made it, each for the same blocks. */
const isOfTwoRules = (acl: Entity<'ACL'>, group: string, view: View<'Port_Group'>): boolean =>
  OF_BLOCK.test(acl.object.match ?? '') &&
  view.get('Port_Group', group)?.object.external_ids?.['np'] !== undefined;

/** Whether it is the one of a NetworkPolicy by which it drops the rest, for pods of two families. */
function isOfTwoFamilies(
  { object: { direction, action, match } }: Entity<'ACL'>,
  group: string,
  view: View<'Port_Group' | 'Address_Set'>,
): boolean {
  const [port, of] = direction === 'to-lport' ? ['outport', 'ingress'] : ['inport', 'egress'];
  if (action !== 'drop' || match !== `${port} == @${group} && ip`) return false;
  if (view.get('Port_Group', group)?.object.external_ids?.['np'] === undefined) return false;
  // That of the first rule, or of a policy without rules.
  return ['IPv4', 'IPv6'].every((family) =>
    ['0', 'all'].some(
      (it) => view.presence('Address_Set', `${group}.${of}.allow.${family}.${it}`) === 'present',
    ),
  );
}
