import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import { podsByMachine } from '../relations/pods-by-machine';
import { portsByName } from '../relations/ports-by-name';
import { flagOf } from '../rule-kit/controller-flags';
import { type Entity, keyOf } from '../world/entity';
import { isAlive } from '../kube-ovn/pod-networks';
import { isOlderRelease, type Release, releaseOf } from '../kube-ovn/release';
import { isReserved } from '../kube-ovn/reservation';
import { defineRule, healthy, unknown, violation, withLasting } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { absent, present, value } from '../rule-kit/facts';

/**
 * The first release that stops at a machine without Multus' annotation; the parser of those before
 * takes an empty one.
 */
const FORGETS: Release = [1, 14, 0];
/** The first release that checks again whether there is one. */
const KEEPS: Release = [1, 14, 5];

const ANNOTATION = 'k8s.v1.cni.cncf.io/networks';

/**
 * A stopped machine whose port Kube-OVN's periodic collection is about to delete, with its address.
 *
 * From v1.14.0 to v1.14.4 the collection reads a machine's attached networks only when the template
 * has Multus' annotation; KubeVirt takes them from its `networks`, so there is none mostly. While a
 * launcher pod runs, that keeps the ports. After two passes without one they are deleted, and the
 * IP object of the same name unless it is reserved; the address is given to the next that requests
 * one (kube-ovn.md §0.3, §4.17, row 17; #5556). The port of the pod network,
 * `<machine>.<namespace>`, is kept.
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
    'A halted virtual machine whose port on a Multus network Kube-OVN v1.14.0 to v1.14.4 deletes as garbage, with its address. Start its controller with `--gc-interval=0`, or upgrade it, before the next two passes.',

  check(machine, view) {
    const key = keyOf(machine);
    if (isWanted(machine) || view.presence('VirtualMachineInstance', key) === 'present')
      return healthy;
    const attached = attachedPorts(machine);
    const ports = attached.flatMap((it) => view.related(portsByName, it));
    if (attached.length === 0 || view.related(podsByMachine, key).some(isAlive)) return healthy;
    const collectors = view
      .related(kubeOvnControllers, 'kube-ovn-controller')
      .filter((it): it is Entity<'Deployment'> => it.kind === 'Deployment')
      .filter(collects);
    const [untold] = collectors.filter((it) => releaseOf(it) === undefined);
    const [collector] = collectors.filter((it) => releaseOf(it) !== undefined);
    if (!collector)
      return untold && ports.length > 0
        ? unknown(
            `machine ${key} is halted, and Deployment ${keyOf(untold)} does not say whether it is of a release that deletes the ports of such machines (v1.14.0 to v1.14.4)`,
          )
        : healthy;

    const found = violation(
      ...ports.map((port) => {
        const ip = view.get('IP', port.name);
        const goes = ip && !isReserved(ip) ? ip.object.spec : undefined;
        const address = [goes?.v4IpAddress, goes?.v6IpAddress].filter(Boolean).join(' and ');
        return {
          says: `machine ${key} is halted, and Kube-OVN ${collector.object.spec!.template!.spec!.release!} (${keyOf(collector)}) deletes its port ${port.name}${address === '' ? '' : ` and frees its address ${address}`}`,
          part: { column: 'spec.template.spec.networks', key: port.name },
          concerns: [port, ...(ip ? [ip] : [])],
          proof: [
            absent('VirtualMachineInstance', key),
            present(port),
            value(machine, `spec.template.metadata.annotations[${ANNOTATION}]`, ''),
            value(
              collector,
              'spec.template.spec.release',
              collector.object.spec!.template!.spec!.release!,
            ),
            value(collector, 'spec.template.spec.flags', flagsOf(collector).join(', ')),
          ],
        };
      }),
    );
    // A port that is gone while its machine stays halted was deleted.
    return withLasting(found, attached);
  },
});

/** One that is to run is only between two lives. */
const isWanted = ({ object: { metadata, spec } }: Entity<'VirtualMachine'>): boolean =>
  metadata.deletionTimestamp !== undefined ||
  spec?.runStrategy === 'Always' ||
  spec?.running === true;

/** The names of its ports that such a release forgets. */
function attachedPorts({
  name,
  namespace = '',
  object: { spec },
}: Entity<'VirtualMachine'>): string[] {
  const { metadata, spec: template } = spec?.template ?? {};
  if ((metadata?.annotations?.[ANNOTATION] ?? '').trim() !== '') return [];
  return (template?.networks ?? []).flatMap(({ multus }) => {
    const parts = (multus?.networkName ?? '').split('/');
    const [of, network] = parts.length === 2 ? parts : [namespace, parts[0]];
    return network ? [`${name}.${namespace}.${network}.${of}.ovn`] : [];
  });
}

const flagsOf = ({ object: { spec } }: Entity<'Deployment'>): readonly string[] =>
  spec?.template?.spec?.flags ?? [];

/**
 * Whether it collects ports, and is not known to keep these. One that shows none of its flags is
 * not judged.
 */
function collects(deployment: Entity<'Deployment'>): boolean {
  if (isBeingDeleted(deployment) || flagsOf(deployment).length === 0) return false;
  const release = releaseOf(deployment);
  const keeps =
    release !== undefined && (isOlderRelease(release, FORGETS) || !isOlderRelease(release, KEEPS));
  return !keeps && Number(flagOf(deployment, 'gc-interval')) !== 0;
}
