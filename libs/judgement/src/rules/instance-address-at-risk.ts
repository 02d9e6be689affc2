import { isBeingDeleted } from '../kube-ovn/deletion';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { absent, present, value } from '../rule-kit/facts';

/**
 * The address record of a living machine instance that no VirtualMachine stands for.
 *
 * At each start the controller deletes records of machines whose VirtualMachine is deleted, and
 * with the record the port of an instance that still runs; one that was created by itself, or by a
 * set of instances, never had one (kube-ovn.md §4.14, row 30, seen). The address is then given to
 * others.
 */
export default defineRule({
  id: 'instance-address-at-risk',
  class: 'drift',
  severity: 'warning',
  subject: 'IP',
  reads: ['VirtualMachine', 'VirtualMachineInstance'],
  about:
    "The address record and the port of a machine instance that runs are deleted when Kube-OVN's controller starts the next time, as it has no VirtualMachine. Make the instance from a VirtualMachine, or reserve its address, before the controller is restarted.",

  check(ip, view) {
    const { namespace = '', podName = '', podType = '' } = ip.object.spec ?? {};
    if (podType !== 'VirtualMachine' || namespace === '' || isBeingDeleted(ip)) return healthy;
    const key = `${namespace}/${podName}`;
    const instance = view.get('VirtualMachineInstance', key);
    if (!instance || isBeingDeleted(instance)) return healthy;
    if (view.presence('VirtualMachine', key) !== 'absent') return healthy;
    return violation({
      says: `IP ${ip.name} is of machine instance ${key}, which has no VirtualMachine: the next start of the controller deletes it`,
      concerns: [instance],
      proof: [
        absent('VirtualMachine', key),
        present(instance),
        value(ip, 'spec.podType', podType),
        present(ip),
      ],
    });
  },
});
