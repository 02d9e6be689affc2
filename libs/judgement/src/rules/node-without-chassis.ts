import { ascendingBy } from '@ovn-steward/shared/compare';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { CHASSIS, chassisOf } from '../kube-ovn/chassis';
import { encapsByIp } from '../relations/encaps-by-ip';
import { chassisOfNode, isReady } from '../rule-kit/chassis-of-node';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { DATABASE_KINDS, otherSouthbound } from '../rule-kit/southbound';
import type { Entity } from '../world/entity';
import type { View } from '../rule-kit/view';
import { absentBelow, present, value } from '../rule-kit/facts';

/**
 * A ready node of Kube-OVN's that has no chassis in the Southbound.
 *
 * Its ovn-controller registers the chassis when it starts and again when it vanishes, unless it
 * does not run, does not reach the Southbound, or another chassis has the address of its tunnels:
 * an address ends one tunnel of a type, so that a node installed again cannot register beside the
 * rest of its former self. Kube-OVN's collection takes chassis that no Node names
 * (kube-ovn.md §4.2, row 7).
 */
export default defineRule({
  id: 'node-without-chassis',
  class: 'missing',
  severity: 'critical',
  subject: 'Node',
  reads: ['Chassis', 'Encap', ...DATABASE_KINDS],
  about:
    'A ready node is not registered in the Southbound: no tunnel leads to it, and no port of its pods is bound. See whether ovn-controller runs there and reaches the Southbound; where another chassis has its tunnel address, that one is a rest, and `ovn-sbctl chassis-del` removes it. A restart of Kube-OVN’s controller does not help.',

  check(node, view) {
    const { annotations = {} } = node.object.metadata;
    const named = chassisOf(node);
    if (named === '' || annotations['ovn.kubernetes.io/allocated'] !== 'true') return healthy;
    if (isBeingDeleted(node) || !isReady(node)) return healthy;
    if (chassisOfNode(node, view).length > 0) return healthy;
    const rivals = rivalsOf(node, view);
    const because = rivals.map(
      ({ object: { ip, chassis_name: by } }) => `${ip} still ends a tunnel of chassis ${by}`,
    );
    return violation({
      summary: `Node ${node.name} is ready and has no chassis in the Southbound${because.length > 0 ? `: ${because.join(', ')}` : ''}`,
      concerns: rivals,
      proof: [
        present(node),
        value(node, `metadata.annotations[${CHASSIS}]`, named),
        absentBelow('Chassis', named),
        ...rivals.map((it) => value(it, 'ip', it.object.ip ?? '')),
      ],
    });
  },

  doubt: (_, view) => otherSouthbound(view),
});

/** The ends of tunnels that have an address of the node. */
const rivalsOf = ({ object }: Entity<'Node'>, view: View<'Encap'>): Entity<'Encap'>[] =>
  [
    ...new Set(
      (object.status?.addresses ?? []).flatMap(({ address = '' }) =>
        view.related(encapsByIp, address),
      ),
    ),
  ].sort(ascendingBy((it) => it.uid));
