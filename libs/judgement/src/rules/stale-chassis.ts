import { isOfMissingNode } from '../rule-kit/chassis-of-node';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { DATABASE_KINDS, otherSouthbound } from '../rule-kit/southbound';
import { absent, unchanged, value } from '../rule-kit/facts';

/**
 * A chassis of a node that is deleted.
 *
 * Kube-OVN tags the chassis of its nodes and removes them with the Node, unless it was down then;
 * the next start with collection on takes it (kube-ovn.md §4.1, §4.2). Until then all nodes keep a
 * tunnel to it, its ports count as up, and a node installed again under its address cannot
 * register. A chassis of others has no tag and is never judged; none is ever removed from outside.
 */
export default defineRule({
  id: 'stale-chassis',
  class: 'drift',
  severity: 'warning',
  subject: 'Chassis',
  reads: ['Node', ...DATABASE_KINDS],
  about:
    'A chassis in the Southbound is of a Node that does not exist: tunnels to it stay, and ports bound there count as up. A start of the controller with collection on removes it; else stop ovn-controller on that host and use `ovn-sbctl chassis-del`.',

  check(chassis, view) {
    if (!isOfMissingNode(chassis, view)) return healthy;
    const host = chassis.object.hostname!;
    return violation({
      summary: `chassis ${chassis.name} is of node ${host}, which does not exist`,
      proof: [
        absent('Node', host),
        value(chassis, 'hostname', host),
        value(chassis, 'external_ids[vendor]', 'kube-ovn'),
        unchanged(chassis),
      ],
    });
  },

  doubt: (_, view) => otherSouthbound(view),
});
