import { isWantedAcl, type DesiredAcl, desiredAcls } from '../kube-ovn/subnet-acls';
import { isOvnProvider, providerOf } from '../readiness/subnet-waits-for';
import { aclsByHolder } from '../relations/acls-by-holder';
import { switchesByName } from '../relations/switches-by-name';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { present, unclaimed, value } from '../rule-kit/facts';

/**
 * A subnet that is private, or has ACLs in its spec, and whose switch does not have them.
 *
 * Each time the controller handles the Subnet it takes all of them off the switch and puts them
 * back, the private ones in two steps (kube-ovn.md §5, row 10): the gap is short, unless the second
 * step fails or the controller ends in between; the condition `Ready` then says
 * `SetLogicalSwitchAclsFailed` or nothing at all. What is not Kube-OVN's, and what was added by
 * hand, is not examined.
 */
export default defineRule({
  id: 'subnet-without-acls',
  class: 'drift',
  severity: 'critical',
  subject: 'Subnet',
  reads: ['Logical_Switch', 'ACL'],
  about:
    'A Subnet that is private or has ACLs, some of which its switch does not have: traffic passes that it forbids, or is dropped that it allows. An edit of its spec or a restart of the controller writes them again, unless an entry is refused: see the conditions of the Subnet.',

  check(subnet, view) {
    const { metadata, spec } = subnet.object;
    const desired = desiredAcls(subnet);
    if (desired.length === 0 || metadata.deletionTimestamp !== undefined) return healthy;
    if (!isOvnProvider(providerOf(subnet.object))) return healthy;
    const [lsw, second] = view.related(switchesByName, subnet.name);
    if (!lsw || second) return healthy;
    const acls = view.related(aclsByHolder, lsw.uid);
    const missing = desired.filter((it) => !acls.some((acl) => isWantedAcl(acl, it)));
    if (missing.length === 0) return healthy;
    const rest = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
    return violation({
      summary: `the switch of Subnet ${subnet.name} does not have ${missing.length} of the ${desired.length} ACLs that it asks for: ${textOf(missing[0]!)}${rest}`,
      concerns: [lsw],
      proof: [
        value(subnet, 'spec.private', spec?.private === undefined ? '' : String(spec.private)),
        present(subnet),
        present(lsw),
        ...missing.map((acl) =>
          unclaimed(
            'ACL',
            'switch, direction, priority, action and match',
            `${subnet.name} ${textOf(acl)}`,
          ),
        ),
      ],
    });
  },
});

const textOf = ({ direction, priority, action, match }: DesiredAcl): string =>
  `${direction} ${priority} ${action} ${typeof match === 'string' ? match : `for ${match.block}`}`;
