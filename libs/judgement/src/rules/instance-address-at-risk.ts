import { isBeingDeleted } from '../kube-ovn/deletion';
import { isAlive } from '../kube-ovn/pod-networks';
import { isOlderRelease, type Release, releaseOf } from '../kube-ovn/release';
import { CONTROLLER_KINDS, type ControllerKind } from '../rule-kit/controller';
import { controllers, flagOf } from '../rule-kit/controller-flags';
import { absent, present, value } from '../rule-kit/facts';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';

/** The first release whose collection asks for the owner of an address record (#5688). */
const ASKS: Release = [1, 14, 7];

/**
 * The address record of a living machine for which no VirtualMachine of its name stands.
 *
 * At each start the controller deletes records of machines whose VirtualMachine is deleted, and
 * with the record the port of one that still runs: of an instance that was created by itself or by
 * a set of instances, which never had one, and, made with `keep-vm-ip=false`, of a launcher pod,
 * whose name the record then has (kube-ovn.md §4.14, row 30, the former seen). The address is then
 * given to others. A reservation does not keep it.
 */
export default defineRule({
  id: 'instance-address-at-risk',
  class: 'drift',
  severity: 'warning',
  subject: 'IP',
  reads: [...CONTROLLER_KINDS, 'VirtualMachine', 'VirtualMachineInstance'],
  about:
    "The address record and the port of a machine that runs are deleted when Kube-OVN's controller starts the next time (v1.14.7 and later), as no VirtualMachine has the name in it. Before a restart, make the instance from a VirtualMachine; where `keep-vm-ip` is false, turn it on and start each machine anew, or restart the controller with `--gc-interval=0`.",

  check(ip, view) {
    const { namespace = '', podName = '', podType = '' } = ip.object.spec ?? {};
    if (podType !== 'VirtualMachine' || namespace === '' || isBeingDeleted(ip)) return healthy;
    const key = `${namespace}/${podName}`;
    const user = userOf(key, view);
    if (!user || view.presence('VirtualMachine', key) !== 'absent' || !mayCollect(view))
      return healthy;
    const of =
      user.kind === 'Pod'
        ? `pod ${key}, and no VirtualMachine has its name`
        : `machine instance ${key}, which has no VirtualMachine`;
    return violation({
      summary: `IP ${ip.name} is of ${of}: the next start of the controller deletes it`,
      concerns: [user],
      proof: [
        absent('VirtualMachine', key),
        present(user),
        value(ip, 'spec.podType', podType),
        present(ip),
      ],
    });
  },
});

/** The instance, or the launcher, that lives and is called as the record says. */
function userOf(
  key: string,
  view: View<'Pod' | 'VirtualMachineInstance'>,
): Entity<'Pod' | 'VirtualMachineInstance'> | undefined {
  const instance = view.get('VirtualMachineInstance', key);
  if (instance) return isBeingDeleted(instance) ? undefined : instance;
  const pod = view.get('Pod', key);
  return pod && isAlive(pod) ? pod : undefined;
}

/** Whether no controller is known, or one that may do so at its start. */
function mayCollect(view: View<ControllerKind>): boolean {
  const found = controllers(view);
  return found.length === 0 || found.some(asksForOwners);
}

function asksForOwners(deployment: Entity<'Deployment'>): boolean {
  const release = releaseOf(deployment);
  return (
    Number(flagOf(deployment, 'gc-interval')) !== 0 &&
    (release === undefined || !isOlderRelease(release, ASKS))
  );
}
