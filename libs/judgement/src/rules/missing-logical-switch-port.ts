import { switchesByName } from '../relations/switches-by-name';
import { referenceTo } from '../world/entity';
import { isAlive, podNetworks } from '../kube-ovn/pod-networks';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { absentRow, present, value } from '../rule-kit/facts';

/**
 * A living pod that Kube-OVN calls connected, without the port it names: the pod has no network,
 * whatever its phase says.
 *
 * Kube-OVN's own inspection repairs this within seconds unless another pod's broken network stops
 * it (kube-ovn.md §0.2, row 15, 16), so what stays is worth waking somebody. A pod of a machine
 * that never ran, a completed pod, a pod on the host's network and interfaces of other CNIs never
 * had a port.
 */
export default defineRule({
  id: 'missing-logical-switch-port',
  class: 'missing',
  severity: 'critical',
  subject: 'Pod',
  reads: ['Subnet', 'Logical_Switch_Port', 'Logical_Switch'],
  about:
    'A running pod whose port is not in the Northbound database, though Kube-OVN recorded one. The pod has no network on that interface. A controller that works makes the port again within seconds; where it did not, see whether it is blind or a pod names a missing attachment.',
  remedy: 'reallocate-pod',

  check(pod, view) {
    if (!isAlive(pod)) return healthy;
    const lost = podNetworks(pod).filter(
      (it) => view.presence('Logical_Switch_Port', it.portName) === 'absent',
    );
    const known = lost.filter(
      (network) =>
        view.presence('Subnet', network.logicalSwitch) === 'present' ||
        view.has(switchesByName, network.logicalSwitch),
    );
    if (lost.length > 0 && known.length === 0)
      return unknown(`neither a Subnet nor a switch named ${lost[0]!.logicalSwitch} exists`);

    return violation(
      ...known.map((network) => ({
        summary: `pod ${pod.namespace}/${pod.name} runs without its port ${network.portName} on ${network.logicalSwitch}`,
        part: {
          column: 'metadata.annotations',
          key: `${network.provider}.kubernetes.io/allocated`,
        },
        proof: [
          present(pod),
          absentRow('Logical_Switch_Port', network.portName),
          value(
            pod,
            `metadata.annotations[${network.provider}.kubernetes.io/logical_switch]`,
            network.logicalSwitch,
          ),
        ],
        remedy: {
          action: 'reallocate-pod',
          target: referenceTo(pod, {
            column: 'metadata.annotations',
            key: `${network.provider}.kubernetes.io/allocated`,
          }),
          advice: `remove the annotation ${network.provider}.kubernetes.io/allocated: the controller then recreates the port, with the same address if it is free`,
        },
      })),
    );
  },
});
