import { podsByMachine } from '../relations/pods-by-machine';
import { controllers, flagOf } from '../rule-kit/controller-flags';
import { type ForgottenPorts, forgottenPorts, MULTUS, portsOf } from '../rule-kit/forgotten-ports';
import { type Entity, keyOf } from '../world/entity';
import { isAlive } from '../kube-ovn/pod-networks';
import { releaseOf } from '../kube-ovn/release';
import { isReserved } from '../kube-ovn/reservation';
import { defineRule, healthy, unknown, violation, withLasting } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { absent, present, value } from '../rule-kit/facts';
import type { View } from '../rule-kit/view';

/**
 * A machine whose ports Kube-OVN is about to delete, with their addresses.
 *
 * From v1.14.0 to v1.14.4 the collection reads a halted machine's attached networks only when the
 * template has Multus' annotation; KubeVirt takes them from its `networks`, so there is none
 * mostly. While a launcher pod runs, that keeps the ports. After two passes without one they are
 * deleted, and the IP object of the same name unless it is reserved; the address is given to the
 * next that requests one (kube-ovn.md §0.3, §4.17, row 17; #5556). The port of the pod network,
 * `<machine>.<namespace>`, is kept.
 *
 * From v1.16 on each of several interfaces on one definition has a port called after the interface.
 * No list of a machine's own ports has that name: v1.16.2 deletes them at once when a launcher pod
 * goes, also that which a migration leaves (seen), and the collection deletes those of a halted one
 * (row 17a). A reserved IP object stays, and its address is given back at the next start; its port
 * goes all the same (seen in v1.16.2).
 */
export default defineRule({
  id: 'machine-ports-at-risk',
  class: 'damage',
  severity: 'critical',
  subject: 'VirtualMachine',
  reads: [
    'VirtualMachineInstance',
    'Pod',
    'Deployment',
    'ReplicaSet',
    'StatefulSet',
    'Logical_Switch_Port',
    'IP',
  ],
  about:
    'A halted virtual machine whose port on a Multus network Kube-OVN v1.14.0 to v1.14.4 deletes as garbage, with its address: start its controller with `--gc-interval=0`, or upgrade it. Or any machine with several interfaces on one network, whose ports are deleted from v1.16 on when it stops or has migrated, and their addresses freed: give each interface a network of its own. Reserving the addresses keeps these for its next start, not the ports.',

  check(machine, view) {
    const key = keyOf(machine);
    const any = forgottenPorts(machine, undefined);
    if (isBeingDeleted(machine) || any.length === 0) return healthy;
    const life = lifeOf(machine, view);
    const doomedBy = (controller: Entity<'Deployment'>): readonly ForgottenPorts[] =>
      forgottenPorts(machine, releaseOf(controller)).filter(
        ({ isSeveral }) => isSeveral || (life === 'halted' && collects(controller)),
      );
    const guilty = controllers(view).filter((it) => doomedBy(it).length > 0);
    const [versioned] = guilty.filter((it) => releaseOf(it) !== undefined);
    const [unversioned] = guilty.filter((it) => releaseOf(it) === undefined);
    if (!versioned)
      return unversioned &&
        doomedBy(unversioned).some((it) => portsOf(it, machine, view).length > 0)
        ? unknown(
            `machine ${key} ${life === 'halted' ? 'is halted' : 'runs'}, and Deployment ${keyOf(unversioned)} does not say whether it is of a release that deletes the ports of such machines (v1.14.0 to v1.14.4; of several interfaces on one network from v1.16 on)`,
          )
        : healthy;
    const doomed = doomedBy(versioned);
    const isTaken = life === 'halted' && collects(versioned);
    const found = violation(
      ...doomed.flatMap((it) => harmOf(it, machine, versioned, isTaken, view)),
    );
    // A port that is gone while its machine is as it was, was deleted.
    return withLasting(
      found,
      doomed.map(({ stem }) => stem),
    );
  },
});

/** What is deleted of one network, if there is anything. */
function harmOf(
  forgotten: ForgottenPorts,
  machine: Entity<'VirtualMachine'>,
  collector: Entity<'Deployment'>,
  isTaken: boolean,
  view: View<'Logical_Switch_Port' | 'IP'>,
) {
  const ports = portsOf(forgotten, machine, view);
  if (ports.length === 0) return [];
  const records = ports.flatMap((port) => view.get('IP', port.name) ?? []);
  const addresses = records
    .filter((it) => !isReserved(it))
    .flatMap(({ object: { spec } }) => [spec?.v4IpAddress, spec?.v6IpAddress])
    .filter(Boolean);
  const [s, its] = ports.length > 1 ? ['s', 'their addresses'] : ['', 'its address'];
  const { release = '', flags = [] } = collector.object.spec!.template!.spec!;
  return [
    {
      summary: `machine ${keyOf(machine)} ${isTaken ? 'is halted' : 'has several interfaces on one network'}, and Kube-OVN ${release} (${keyOf(collector)}) deletes its port${s} ${ports.map(({ name }) => name).join(' and ')}${isTaken ? '' : ' when a launcher pod of it goes,'}${addresses.length === 0 ? '' : ` and frees ${its} ${addresses.join(' and ')}`}`,
      part: { column: 'spec.template.spec.networks', key: forgotten.stem },
      concerns: [...ports, ...records],
      proof: [
        ...(isTaken ? [absent('VirtualMachineInstance', keyOf(machine))] : []),
        ...ports.map((port) => present(port)),
        forgotten.isSeveral
          ? value(machine, 'networks that are requested more than once', forgotten.stem)
          : value(machine, `spec.template.metadata.annotations[${MULTUS}]`, ''),
        value(collector, 'spec.template.spec.release', release),
        value(collector, 'spec.template.spec.flags', flags.join(', ')),
      ],
    },
  ];
}

/** Whether it runs, or nothing of it does. One that is to run is only between two lives. */
const lifeOf = (
  machine: Entity<'VirtualMachine'>,
  view: View<'VirtualMachineInstance' | 'Pod'>,
): 'halted' | 'runs' =>
  machine.object.spec?.runStrategy === 'Always' ||
  machine.object.spec?.running === true ||
  view.presence('VirtualMachineInstance', keyOf(machine)) === 'present' ||
  view.related(podsByMachine, keyOf(machine)).some(isAlive)
    ? 'runs'
    : 'halted';

/** Whether it collects ports. One that shows none of its flags is not judged. */
const collects = (deployment: Entity<'Deployment'>): boolean =>
  (deployment.object.spec?.template?.spec?.flags ?? []).length > 0 &&
  Number(flagOf(deployment, 'gc-interval')) !== 0;
