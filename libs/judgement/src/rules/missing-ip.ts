import { type Entity, referenceTo } from '../world/entity';
import { isAlive, podNetworks } from '../kube-ovn/pod-networks';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { absent, present, value } from '../rule-kit/facts';

/**
 * A living pod with a port and an address of which Kube-OVN has no record, or one that is being
 * deleted.
 *
 * A pod that is made again while the record of its predecessor is still going gets a port and an
 * address, and no record; the pending deletion then takes its port and frees its address under it.
 * Kube-OVN's own inspection repairs it within 20 s unless another pod's broken network stops it
 * (kube-ovn.md §6.2, row 36).
 */
export default defineRule({
  id: 'missing-ip',
  class: 'missing',
  severity: 'warning',
  subject: 'Pod',
  reads: ['IP', 'Logical_Switch_Port'],
  about:
    'A running pod whose address Kube-OVN has no record of, or one that is being deleted. The address may be given to another pod, and the port may be taken from it. A start of Kube-OVN’s controller makes the record again, once none of its name is being deleted.',
  remedy: 'reallocate-pod',

  check(pod, view) {
    if (!isAlive(pod)) return healthy;
    const without = podNetworks(pod).flatMap((network) => {
      if (
        network.addresses === '' ||
        view.presence('Logical_Switch_Port', network.portName) === 'absent'
      )
        return [];
      const record = view.get('IP', network.portName);
      const isMissing = record
        ? isBeingDeleted(record)
        : view.presence('IP', network.portName) === 'absent';
      return isMissing ? [{ ...network, record }] : [];
    });
    return violation(
      ...without.map(({ provider, portName, addresses, record }) => ({
        summary: `pod ${pod.namespace}/${pod.name} runs with ${addresses}, and IP ${portName}, the record of it, ${record ? `is being deleted (since ${record.object.metadata.deletionTimestamp})` : 'does not exist'}`,
        part: { column: 'metadata.annotations', key: `${provider}.kubernetes.io/allocated` },
        ...(record ? { concerns: [record as Entity] } : {}),
        proof: [
          present(pod),
          record
            ? value(record, 'metadata.deletionTimestamp', record.object.metadata.deletionTimestamp!)
            : absent('IP', portName),
          value(pod, `metadata.annotations[${provider}.kubernetes.io/ip_address]`, addresses),
        ],
        remedy: {
          action: 'reallocate-pod',
          target: referenceTo(pod, {
            column: 'metadata.annotations',
            key: `${provider}.kubernetes.io/allocated`,
          }),
          advice: `remove the annotation ${provider}.kubernetes.io/allocated: the controller then recreates the record, with the same address if it is free`,
        },
      })),
    );
  },
});
