import { chassisOfNode, nodeOfChassis } from '../rule-kit/chassis-of-node';
import { podsOfPort } from '../rule-kit/pods-of-port';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { DATABASE_KINDS, otherSouthbound } from '../rule-kit/southbound';
import type { Entity } from '../world/entity';
import { present, value } from '../rule-kit/facts';

/**
 * The port of a running pod that is bound on another node than the pod's.
 *
 * An ovn-controller binds a port while its OVS has an interface with the port's id (ovn-sb(5),
 * Port_Binding). One that stayed on another node, as after a node that was cut off, takes the
 * traffic of the pod, or the two take it from each other in turns. Nothing is said while a machine
 * migrates, of a node without a chassis, and of a chassis that is no other node's, as where a card
 * of its own runs OVS (row 79).
 */
export default defineRule({
  id: 'port-bound-elsewhere',
  class: 'drift',
  severity: 'critical',
  subject: 'Logical_Switch_Port',
  reads: ['Pod', 'Node', 'Port_Binding', 'Chassis', ...DATABASE_KINDS],
  about:
    "The port of a running pod is bound on another node: the pod's traffic goes there. On that node, where the finding names it, `ovs-vsctl --columns=name find interface external_ids:iface-id=<port>` prints the interface that claims the port, and `ovs-vsctl del-port <name>` removes it. Or restart the pod.",

  check(port, view) {
    if (!isOfOnePlace(port)) return healthy;
    const binding = view.get('Port_Binding', port.name);
    const { chassis: bound = '', additional_chassis: more = [] } = binding?.object ?? {};
    const chassis = view.byUid('Chassis', bound);
    if (!binding || !chassis || more.length > 0) return healthy;
    const [pod, second] = podsOfPort(port, view);
    const node = view.get('Node', pod?.object.spec?.nodeName ?? '');
    if (!pod || second || !node || pod.object.status?.phase !== 'Running') return healthy;
    const home = chassisOfNode(node, view);
    const other = nodeOfChassis(chassis, view);
    if (home.length === 0 || home.includes(chassis) || !other || other === node) return healthy;
    return violation({
      summary: `port ${port.name} of pod ${pod.namespace}/${pod.name}, which runs on ${node.name}, is bound on ${other.name} (chassis ${chassis.name})`,
      owner: view.ownership(port),
      concerns: [pod, binding],
      proof: [
        value(binding, 'chassis', chassis.uid),
        value(pod, 'spec.nodeName', node.name),
        value(pod, 'status.phase', 'Running'),
        present(chassis),
        present(other),
      ],
    });
  },

  doubt: (_, view) => otherSouthbound(view),
});

/** Whether it is a pod's ordinary port, which no migration keeps on two chassis. */
const isOfOnePlace = ({ object }: Entity<'Logical_Switch_Port'>): boolean => {
  const { type = '', options = {}, external_ids: ids = {} } = object;
  const isPods = ids['vendor'] === 'kube-ovn' && Boolean(ids['pod']);
  return type === '' && isPods && (options['requested-chassis'] ?? '') === '';
};
