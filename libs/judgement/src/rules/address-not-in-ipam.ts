import { ascendingBy } from '@ovn-steward/shared/compare';
import { formatIp, parseIp, tryParseIp } from '@ovn-steward/shared/address';
import { holdersByAddress } from '../relations/holders-by-address';
import { heldAddresses } from '../tallies/held-addresses';
import type { HolderKind } from '../kube-ovn/address-holders';
import { HOLDER_KINDS } from '../kube-ovn/address-holders';
import { type Entity, keyOf } from '../world/entity';
import { allocatable, inIpam } from '../rule-kit/subnet-ipam';
import { ADDRESS_FAMILIES } from '../rule-kit/subnet-usage';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { present } from '../rule-kit/facts';

/**
 * Records that are examined for one address: the rest of what a broken tool recorded of it shows no
 * more.
 */
const ENOUGH = 50;

/**
 * An address of a Vip or external address that Kube-OVN's IPAM takes for free.
 *
 * The IPAM is in the controller's memory. At a start it is built again, from the IPv4 addresses of
 * Vips and external addresses only, and without those whose object came at a bad moment; what is
 * missing is given to the next pod (kube-ovn.md §6.1, row 38; #6164, #2071). A restart does not
 * help for IPv6; `excludeIps` does, and is healthy here.
 */
export default defineRule({
  id: 'address-not-in-ipam',
  class: 'drift',
  severity: 'warning',
  subject: 'Subnet',
  reads: [...HOLDER_KINDS],
  about:
    "A Vip or external address holds an address that Kube-OVN counts as free, as it does with IPv6 ones after a restart. A pod may be given the same; add it to the subnet's `excludeIps`.",

  check(subnet, view) {
    const held = view.tallied(heldAddresses, subnet.name);
    if (!held || held.byOthers.size === 0 || isBeingDeleted(subnet)) return healthy;
    const from = allocatable(subnet);
    if (!from)
      return unknown(
        `subnet ${subnet.name} has a CIDR, gateway or excludeIps that are no addresses`,
      );
    const lost = ADDRESS_FAMILIES.flatMap((family) => {
      const ipam = inIpam(subnet, family);
      if (!ipam) return [];
      return [...held.byOthers.keys()]
        .map(parseIp)
        .filter(
          (address) =>
            `v${address.family}` === family &&
            from.cidr.contains(address) &&
            !from.excluded.contains(address) &&
            !ipam.contains(address),
        )
        .map(formatIp);
    });
    return violation(
      ...lost.sort().flatMap((address) => {
        const holders = view
          .related(holdersByAddress, `${subnet.name} ${address}`, ENOUGH)
          .filter((it) => wasGiven(it, address))
          .sort(ascendingBy((it) => it.uid));
        if (holders.length === 0) return [];
        return [
          {
            summary: `${address} of subnet ${subnet.name} is held by ${holders.map((it) => `${it.kind} ${keyOf(it)}`).join(', ')}, but Kube-OVN counts it as free and may give it to a pod`,
            part: { column: 'spec.excludeIps', key: address },
            concerns: holders,
            proof: [present(subnet), ...holders.map((it) => present(it))],
          },
        ];
      }),
    );
  },
});

/**
 * Whether the controller has written that the object has the address, and the object stays: an
 * address that is only requested was never taken from the IPAM, and a deleted object has given it
 * back.
 */
function wasGiven(holder: Entity<HolderKind>, address: string): boolean {
  if (holder.kind === 'IP' || isBeingDeleted(holder)) return false;
  const status =
    (holder.object as { readonly status?: Readonly<Record<string, unknown>> }).status ?? {};
  return ['v4ip', 'v6ip', 'v4Ip', 'v6Ip', 'ip'].some((key) => {
    const given = tryParseIp(typeof status[key] === 'string' ? status[key] : '');
    return given !== undefined && formatIp(given) === address;
  });
}
