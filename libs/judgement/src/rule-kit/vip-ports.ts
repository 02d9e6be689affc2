import { formatIp } from '@ovn-steward/shared/address';
import { portAddresses } from '../relations/ports-by-address';
import { portsByName } from '../relations/ports-by-name';
import { portsByPod } from '../relations/ports-by-pod';
import { holdingsOf } from '../kube-ovn/address-holders';
import type { Entity } from '../world/entity';
import type { View } from './view';

/**
 * Types whose port is an ordinary one, called `<vip>.<namespace>`; without a type it is a virtual
 * one, called as the Vip (kube-ovn.md §3.1).
 */
export const isTyped = ({ object: { spec, status } }: Entity<'Vip'>): boolean =>
  (spec?.type || status?.type || '') !== '';

/** The names that a Vip's port may have on the default network. */
export const vipPortNames = (vip: Entity<'Vip'>): readonly string[] =>
  isTyped(vip) ? [vip.name, `${vip.name}.${vip.object.spec?.namespace ?? ''}`] : [vip.name];

/**
 * The ports that may be the Vip's: by name, and that of a typed one by its keys, since on an
 * attached network its name ends with the provider's.
 */
export function vipPorts(
  vip: Entity<'Vip'>,
  view: View<'Logical_Switch_Port'>,
): readonly Entity<'Logical_Switch_Port'>[] {
  const { subnet = '', namespace = '' } = vip.object.spec ?? {};
  const byKeys =
    isTyped(vip) && namespace !== ''
      ? view.related(portsByPod, `${subnet} ${namespace}/${vip.name}`)
      : [];
  return [
    ...new Set([...vipPortNames(vip).flatMap((it) => view.related(portsByName, it)), ...byKeys]),
  ];
}

/**
 * Whether the port answers for the Vip's addresses and no other: a workload's may be called the
 * same.
 */
export function hasAddressesOf(port: Entity<'Logical_Switch_Port'>, vip: Entity<'Vip'>): boolean {
  const given = holdingsOf(vip).flatMap(({ addresses }) => addresses.map(formatIp));
  const { type, options } = port.object;
  const answered = type === 'virtual' ? [options?.['virtual-ip'] ?? ''] : portAddresses(port);
  return answered.length > 0 && answered.every((it) => given.includes(it));
}
