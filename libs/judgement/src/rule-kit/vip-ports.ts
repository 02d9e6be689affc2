import { formatIp } from '@ovn-steward/shared/address';
import { portAddresses } from '../relations/ports-by-address';
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

/**
 * The names that a Vip's port may have: on an attached network that of a typed one ends with the
 * provider of its subnet (`PodNameToPortName`, pkg/ovs/util.go).
 */
export function vipPortNames(vip: Entity<'Vip'>, view: View<'Subnet'>): readonly string[] {
  if (!isTyped(vip)) return [vip.name];
  const { subnet = '', namespace = '' } = vip.object.spec ?? {};
  const provider = view.get('Subnet', subnet)?.object.spec?.provider || 'ovn';
  const named = `${vip.name}.${namespace}`;
  return [vip.name, named, ...(provider === 'ovn' ? [] : [`${named}.${provider}`])];
}

/**
 * The ports that may be the Vip's: by name, and that of a typed one by its keys, which it has only
 * where the Vip has a namespace.
 */
export function vipPorts(
  vip: Entity<'Vip'>,
  view: View<'Logical_Switch_Port' | 'Subnet'>,
): readonly Entity<'Logical_Switch_Port'>[] {
  const { subnet = '', namespace = '' } = vip.object.spec ?? {};
  const byKeys =
    isTyped(vip) && namespace !== ''
      ? view.related(portsByPod, `${subnet} ${namespace}/${vip.name}`)
      : [];
  return [
    ...new Set([
      ...vipPortNames(vip, view).flatMap((it) => view.named('Logical_Switch_Port', it)),
      ...byKeys,
    ]),
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
