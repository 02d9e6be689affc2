import { nodeOfChassis, isReady } from '../rule-kit/chassis-of-node';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { lagOf } from '../rule-kit/silent-chassis';
import { DATABASE_KINDS, otherSouthbound } from '../rule-kit/southbound';
import { present, value } from '../rule-kit/facts';

/**
 * A chassis of a ready node that does not follow the configuration any more, while most others do.
 *
 * Each ovn-controller writes up to which `nb_cfg` it has come, and when (ovn-sb(5),
 * Chassis_Private). Who raises `nb_cfg` is the CMS: Neutron does so all the time, Kube-OVN never.
 * Where nobody does, nothing is found.
 */
export default defineRule({
  id: 'silent-chassis',
  class: 'drift',
  severity: 'critical',
  subject: 'Chassis_Private',
  reads: ['Chassis', 'Node', ...DATABASE_KINDS],
  about:
    "The ovn-controller of a ready node does not follow the database: pods on it keep the flows of that time, and new ones get none. Look at ovn-controller's log on that node and restart it.",

  check(report, view) {
    const lag = lagOf(report, view);
    const chassis = lag && view.get('Chassis', report.name);
    const node = chassis && nodeOfChassis(chassis, view);
    if (!lag || !node || !isReady(node)) return healthy;
    return violation({
      summary: `the chassis of Node ${node.name} lacks ${lag.configurations} configurations that most others have; its last report is ${lag.minutes} minutes older than theirs`,
      concerns: [chassis, node],
      proof: [
        value(report, 'nb_cfg', String(report.object.nb_cfg)),
        value(report, 'configurations behind most others', String(lag.configurations)),
        present(chassis),
        present(node),
      ],
    });
  },

  doubt: (_, view) => otherSouthbound(view),
});
