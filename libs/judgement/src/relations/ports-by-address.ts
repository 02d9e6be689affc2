import { formatIp } from '@ovn-steward/shared/address';
import { addressesOf } from '@ovn-steward/shared/port-addresses';
import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/**
 * The addresses a port answers for on its switch; router, unknown and OVN-chosen addresses are not
 * among them.
 */
export const portAddresses = (port: Entity<'Logical_Switch_Port'>): string[] =>
  (port.object.addresses ?? []).flatMap((it) => addressesOf(it).ips.map(formatIp));

/** Ports by `<switch uid> <address>`, of any owner, since a foreign port answers as well. */
export const portsByAddress = defineRelation({
  id: 'ports-by-address',
  kinds: ['Logical_Switch_Port'],
  keys: (port) =>
    parentsOf(port).flatMap(({ uid }) => portAddresses(port).map((it) => `${uid} ${it}`)),
});
