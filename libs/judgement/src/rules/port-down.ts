import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { mayBeAttached } from '../kube-ovn/attachments';
import { podNetworks } from '../kube-ovn/pod-networks';
import { portsUp } from '../relations/ports-up';
import { isReady } from '../rule-kit/chassis-of-node';
import { podsOfPort } from '../rule-kit/pods-of-port';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { DATABASE_KINDS, otherSouthbound } from '../rule-kit/southbound';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';
import { present, value } from '../rule-kit/facts';

/**
 * The port of a running pod that no chassis holds up, on a node that is ready.
 *
 * The CNI plug-in waits for the port before the pod runs, so it was up once: its interface was
 * taken out of OVS, or OVN lost it (kube-ovn.md §5, row 79). A port that is up may be of a dead
 * node (§11.2), a port down never carries anything. While a machine migrates its port may go down
 * and up; northd leaves out `up` of a port that it has not processed. A network that was added to a
 * running pod has its port before the interface is plugged in.
 */
export default defineRule({
  id: 'port-down',
  class: 'drift',
  severity: 'critical',
  subject: 'Logical_Switch_Port',
  reads: ['Pod', 'Node'],
  consults: ['Port_Binding', 'Chassis', ...DATABASE_KINDS],
  about:
    "The port of a running pod is down, though the pod's node is ready: the pod has no network on that interface. Delete the pod, which connects it again, and check that ovn-controller and kube-ovn-cni run on that node; if the Southbound is read, the proof names the chassis to which the port is bound, if any. A restart of Kube-OVN’s controller does not help.",

  check(port, view) {
    const { up, type = '', options = {}, external_ids: ids = {} } = port.object;
    if (up !== false || type !== '' || ids['vendor'] !== 'kube-ovn' || !ids['pod']) return healthy;
    if ((options['requested-chassis'] ?? '') !== '' || !view.has(portsUp, 'any')) return healthy;
    const [pod, second] = podsOfPort(port, view);
    if (!pod || second || pod.object.status?.phase !== 'Running' || !isPlugged(port, pod))
      return healthy;
    const node = view.get('Node', pod.object.spec?.nodeName ?? '');
    if (!node || !isReady(node)) return healthy;
    const binding = boundWhere(port, view);
    return violation({
      summary: `port ${port.name} of running pod ${pod.namespace}/${pod.name} is down, and its node ${node.name} is ready`,
      owner: view.ownership(port),
      concerns: [pod, ...binding],
      proof: [
        value(port, 'up', 'false'),
        value(pod, 'status.phase', 'Running'),
        value(pod, 'spec.nodeName', node.name),
        present(node),
        ...binding.flatMap((it) => factsOf(it, view)),
      ],
    });
  },
});

/** Whether the pod may have the interface already that the port is for. */
const isPlugged = ({ name }: Entity<'Logical_Switch_Port'>, pod: Entity<'Pod'>): boolean =>
  podNetworks(pod).some((it) => it.portName === name && mayBeAttached(pod, it.provider));

type Southbound = View<'Port_Binding' | 'Chassis' | (typeof DATABASE_KINDS)[number]>;

/** What the Southbound says of the port, where it is read and is that of this Northbound. */
function boundWhere(
  { name }: Entity<'Logical_Switch_Port'>,
  view: Southbound,
): Entity<'Port_Binding'>[] {
  if (!view.knows('Port_Binding') || otherSouthbound(view) !== undefined) return [];
  const binding = view.get('Port_Binding', name);
  return binding ? [binding] : [];
}

function factsOf(binding: Entity<'Port_Binding'>, view: Southbound): Fact[] {
  const { chassis: uid = '' } = binding.object;
  const chassis = view.byUid('Chassis', uid);
  return [
    value(binding, 'chassis', uid),
    ...(chassis ? [value(chassis, 'hostname', chassis.object.hostname ?? '')] : []),
  ];
}
