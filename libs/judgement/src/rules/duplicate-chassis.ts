import { ascendingBy } from '@ovn-steward/shared/compare';
import { chassisByHost } from '../relations/chassis-by-host';
import { isKubeOvnChassis } from '../kube-ovn/chassis';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { DATABASE_KINDS, otherSouthbound } from '../rule-kit/southbound';
import { present, value } from '../rule-kit/facts';

/**
 * A node with two chassis, as after its OVS was installed again under another system-id.
 *
 * Kube-OVN finds the chassis of a node by its host and takes two for an error; a node that joins
 * removes all of a host that has two (kube-ovn.md §5, `handleAddNode`).
 */
export default defineRule({
  id: 'duplicate-chassis',
  class: 'drift',
  severity: 'warning',
  subject: 'Chassis',
  reads: ['Node', ...DATABASE_KINDS],
  about:
    'Two chassis in the Southbound say they are on one node: one is a rest of its former installation, Kube-OVN does not know which is meant, and tunnels to the rest stay. Find out which system-id OVS on the node has, and remove the other with `ovn-sbctl chassis-del`.',

  check(chassis, view) {
    const host = chassis.object.hostname ?? '';
    if (host === '' || !isKubeOvnChassis(chassis)) return healthy;
    const all = [...view.related(chassisByHost, host)].sort(ascendingBy((it) => it.uid));
    const tagged = all.filter(isKubeOvnChassis);
    if (all.length < 2 || tagged[0]?.uid !== chassis.uid) return healthy;
    if (view.presence('Node', host) !== 'present') return healthy;
    const others = all.filter((it) => it !== chassis);
    return violation({
      summary: `node ${host} has ${all.length} chassis: ${all.map((it) => it.name).join(', ')}`,
      concerns: others,
      proof: [
        value(chassis, 'hostname', host),
        ...others.map((it) => value(it, 'hostname', host)),
        present(chassis),
      ],
    });
  },

  doubt: (_, view) => otherSouthbound(view),
});
