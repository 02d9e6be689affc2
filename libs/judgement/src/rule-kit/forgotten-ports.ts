import { attachmentsIn, NETWORKS as MULTUS } from '../kube-ovn/attachments';
import { isOlderRelease, type Release } from '../kube-ovn/release';
import { interfacePorts } from '../relations/interface-ports';
import { type Entity, keyOf } from '../world/entity';
import type { View } from './view';
import { requestedAttachments } from './requested-attachment';

export { MULTUS };

/**
 * The first release that stops at a machine without Multus' annotation; the parser of those before
 * takes an empty one.
 */
const FORGETS: Release = [1, 14, 0];
/** The first release that reads the networks of its template as well. */
const KEEPS: Release = [1, 14, 5];
/** The first release that calls ports after interfaces (pkg/controller/pod.go). */
const NAMES_INTERFACES: Release = [1, 16, 0];

/** Ports of a halted machine on one network that are in no list of those to keep. */
export interface ForgottenPorts {
  /** The name of its port there, or the first part of the names of several. */
  readonly stem: string;
  /** Whether the names end in that of an interface. */
  readonly isSeveral: boolean;
}

/** Those that a release forgets; those that any does, where it is unknown. */
export function forgottenPorts(
  machine: Entity<'VirtualMachine'>,
  release: Release | undefined,
): ForgottenPorts[] {
  const hasOneFault =
    !release || (!isOlderRelease(release, FORGETS) && isOlderRelease(release, KEEPS));
  const hasOther = !release || !isOlderRelease(release, NAMES_INTERFACES);
  return [
    ...(hasOneFault ? attached(machine).map((stem) => ({ stem, isSeveral: false })) : []),
    ...(hasOther ? severalTimes(machine).map((stem) => ({ stem, isSeveral: true })) : []),
  ];
}

/** Those of them that are there. */
export const portsOf = (
  { stem, isSeveral }: ForgottenPorts,
  machine: Entity<'VirtualMachine'>,
  view: View<'Logical_Switch_Port'>,
): readonly Entity<'Logical_Switch_Port'>[] =>
  isSeveral
    ? view
        .related(interfacePorts, stem)
        .filter((it) => it.object.external_ids?.['pod'] === keyOf(machine))
    : view.named('Logical_Switch_Port', stem);

/** Of the networks of its template, where that has no annotation. */
function attached(machine: Entity<'VirtualMachine'>): string[] {
  const { metadata, spec } = machine.object.spec?.template ?? {};
  if ((metadata?.annotations?.[MULTUS] ?? '').trim() !== '') return [];
  return (spec?.networks ?? [])
    .flatMap(({ multus }) => attachmentsIn(multus?.networkName, machine.namespace))
    .flatMap((it) => (it === undefined ? [] : [portName(machine, it)]));
}

/** Of the networks that it requests more than once. */
function severalTimes(machine: Entity<'VirtualMachine'>): string[] {
  const definitions = requestedAttachments(machine)
    .flatMap((it) => attachmentsIn(it, machine.namespace))
    .filter((it) => it !== undefined);
  const repeated = definitions.filter((it, nth) => definitions.indexOf(it) !== nth);
  return [...new Set(repeated)].map((it) => portName(machine, it));
}

/** @param definition as `<namespace>/<name>`. */
function portName({ name, namespace }: Entity<'VirtualMachine'>, definition: string): string {
  const [of, network] = definition.split('/');
  return `${name}.${namespace}.${network}.${of}.ovn`;
}
