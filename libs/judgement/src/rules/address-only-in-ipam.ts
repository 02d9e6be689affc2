import { formatIp, formatRange, parseIp, tryParseIp } from '@ovn-steward/shared/address';
import { IpRangeSet } from '@ovn-steward/shared/ip-range-set';
import { heldAddresses, type HeldAddresses } from '../tallies/held-addresses';
import { HOLDER_KINDS } from '../kube-ovn/address-holders';
import type { Entity } from '../world/entity';
import { allocatable, inIpam } from '../rule-kit/subnet-ipam';
import { addressesWithin, type AddressFamily, ADDRESS_FAMILIES } from '../rule-kit/subnet-usage';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { value } from '../rule-kit/facts';

/**
 * Addresses are named where no more than these are in use: a larger subnet is counted only, so that
 * a change in it does not cost a read of all of it.
 */
const NAMED_WITHIN = 4096n;
const MOST_RANGES = 10;

/**
 * Addresses that Kube-OVN's IPAM has in use and no object records: nobody has them, and nobody can
 * get them.
 *
 * They come of a finalizer that was taken by hand, of a StatefulSet's pod that came back in another
 * subnet, of an external address whose making failed (kube-ovn.md §6.3, §6.4 step 6; #4086, #4922,
 * #5259). Nothing releases them but a start of the controller, which builds its memory from the
 * objects. In a dual-stack subnet that start itself takes a second address for each object that
 * records one family only, and does not write it into the object (pkg/ipam/ipam.go,
 * checkAndAppendIpsForDual): so it is where a subnet became dual-stack while it had pods.
 */
export default defineRule({
  id: 'address-only-in-ipam',
  class: 'drift',
  severity: 'info',
  subject: 'Subnet',
  reads: [...HOLDER_KINDS],
  about:
    'Kube-OVN counts addresses of the subnet as used that no object of it records. They cannot be assigned until its controller restarts. In a subnet that became dual-stack each restart takes them again, until the pods with one address are created again.',

  check(subnet, view) {
    const families = ADDRESS_FAMILIES.filter((family) => inIpam(subnet, family)?.size());
    if (families.length === 0) return healthy;
    const from = allocatable(subnet);
    if (!from)
      return unknown(
        `subnet ${subnet.name} has a CIDR, gateway or excludeIps that are no addresses`,
      );
    const held = view.tallied(heldAddresses, subnet.name);
    return violation(
      ...families.flatMap((family) => {
        const addresses = held?.[family] ?? new Map<string, number>();
        const ipam = inIpam(subnet, family)!
          .difference(from.excluded)
          .difference(recordedInStatus(subnet, addresses));
        const recorded = addresses.size - addressesWithin(addresses, from.excluded).length;
        const more = ipam.size() - BigInt(recorded);
        if (more <= 0n) return [];
        return [
          {
            summary: `Kube-OVN counts ${more} ${PROTOCOL[family]} ${more === 1n ? 'address' : 'addresses'} of subnet ${subnet.name} as used that no object records${named(ipam, addresses, family)}${takenAtStart(subnet, held, family)}`,
            part: { column: 'status', key: `${family}usingIPrange` },
            proof: [
              value(subnet, `addresses in status.${family}usingIPrange`, String(ipam.size())),
              value(
                subnet,
                'addresses held by IP, Vip, IptablesEIP and OvnEip objects',
                String(recorded),
              ),
            ],
          },
        ];
      }),
    );
  },
});

/**
 * Addresses the Subnet itself records as its own; some releases lose their IP objects at each start
 * (kube-ovn.md row 32). Those that have one are counted with the others.
 */
function recordedInStatus(
  { object: { status } }: Entity<'Subnet'>,
  held: ReadonlyMap<string, number>,
): IpRangeSet {
  const own = [status?.u2oInterconnectionIP, status?.mcastQuerierIP]
    .flatMap((it) => (it ?? '').split(','))
    .flatMap((it) => tryParseIp(it.trim()) ?? []);
  return IpRangeSet.of(
    own
      .filter((it) => !held.has(formatIp(it)))
      .map(({ family, value: at }) => ({ family, first: at, last: at })),
  );
}

const PROTOCOL: Readonly<Record<AddressFamily, string>> = { v4: 'IPv4', v6: 'IPv6' };

/** What a start does not release: nothing, unless objects of a dual-stack subnet lack the family. */
function takenAtStart(
  subnet: Entity<'Subnet'>,
  held: HeldAddresses | undefined,
  family: AddressFamily,
): string {
  const other = family === 'v4' ? 'v6' : 'v4';
  const without = (held?.[other].size ?? 0) - (held?.[family].size ?? 0);
  if (subnet.object.spec?.protocol !== 'Dual' || without <= 0) return '';
  return `. Each start takes one for each IP object without an ${PROTOCOL[family]} address`;
}

/** `: 10.0.0.5-10.0.0.7`, or nothing where there are too many to examine each. */
function named(ipam: IpRangeSet, held: ReadonlyMap<string, number>, family: AddressFamily): string {
  if (ipam.size() > NAMED_WITHIN) return '';
  const recorded = IpRangeSet.of(
    [...held.keys()]
      .map(parseIp)
      .map((it) => ({ family: it.family, first: it.value, last: it.value })),
  );
  const ranges = ipam
    .difference(recorded)
    .ranges()
    .filter((it) => `v${it.family}` === family);
  return `: ${ranges.slice(0, MOST_RANGES).map(formatRange).join(', ')}${ranges.length > MOST_RANGES ? ` and ${ranges.length - MOST_RANGES} more ranges` : ''}`;
}
