import { parentsOf } from '../world/ovn-rows';
import { chassisByRouterPort } from '../relations/chassis-by-router-port';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { DATABASE_KINDS, otherSouthbound } from '../rule-kit/southbound';
import { absentBelow, present, value } from '../rule-kit/facts';

/**
 * A router port of Kube-OVN's that is to live on a chassis which does not exist.
 *
 * OVN takes the next one of its list. Where none is left, everything that leaves through the port
 * is dropped: external traffic, NAT and floating IPs of the Vpc (ovn-nb(5), Gateway_Chassis).
 * Kube-OVN names the chassis of the nodes that are gateways when it makes the port
 * (kube-ovn.md §3.2).
 */
export default defineRule({
  id: 'gateway-chassis-missing',
  class: 'drift',
  severity: 'critical',
  subject: 'Gateway_Chassis',
  reads: ['Logical_Router_Port', 'HA_Chassis_Group', 'Chassis', ...DATABASE_KINDS],
  about:
    'A router port to the outside is to live on a chassis that is not registered; where it is the only one, all traffic of that router to the outside is lost. See why the node has no chassis, or give the external gateway nodes that have one. A restart of Kube-OVN’s controller does not help.',

  check(row, view) {
    const chassis = nameOf(row.object['chassis_name']);
    const [holder] = parentsOf(row).filter((it) => it.kind === 'Logical_Router_Port');
    const port = holder && view.byUid('Logical_Router_Port', holder.uid);
    if (chassis === '' || port?.object.external_ids?.['vendor'] !== 'kube-ovn') return healthy;
    if (view.presence('Chassis', chassis) !== 'absent') return healthy;
    const living = view
      .related(chassisByRouterPort, port.uid)
      .map((it) => nameOf((it.object as Record<string, unknown>)['chassis_name']))
      .filter((it) => it !== '' && view.presence('Chassis', it) === 'present').length;
    return violation({
      summary: `router port ${port.name} is to live on chassis ${chassis}, which is not there, beside ${living === 0 ? 'no other' : living === 1 ? 'one other' : `${living} others`}`,
      concerns: [port],
      proof: [absentBelow('Chassis', chassis), value(row, 'chassis_name', chassis), present(port)],
    });
  },

  doubt: (_, view) => otherSouthbound(view),
});

const nameOf = (column: unknown): string => (typeof column === 'string' ? column : '');
