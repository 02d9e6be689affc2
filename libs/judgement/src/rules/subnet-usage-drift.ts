import { formatIp, parseIp, parseRange } from '@ovn-steward/shared/address';
import type { IpRange } from '@ovn-steward/shared/address';
import { IpRangeSet } from '@ovn-steward/shared/ip-range-set';
import { heldAddresses } from '../tallies/held-addresses';
import { HOLDER_KINDS } from '../world/address-holders';
import type { Entity } from '../world/entity';
import { defineRule, healthy, unknown, value, violation } from './rule';

/**
 * A subnet whose status counts other than the distinct addresses that are held in it.
 *
 * Kube-OVN counts records, not addresses, and sometimes does not recount: a subnet that looks full sends pods elsewhere,
 * one that looks used never finishes its deletion (kube-ovn.md §6.5, row 37). An IP object's address in `excludeIps`
 * is not counted, by Kube-OVN or here, that of a Vip or external address is; a dual-stack record counts once for both families.
 */
export default defineRule({
  id: 'subnet-usage-drift',
  class: 'drift',
  severity: 'warning',
  subject: 'Subnet',
  reads: [...HOLDER_KINDS],
  about: 'A subnet\'s count of used addresses differs from the addresses that are really held. Pods may be refused or sent to another subnet.',

  check(subnet, view) {
    const { spec, status } = subnet.object;
    if (!spec?.cidrBlock || !status) return healthy;
    const excluded = excludedRanges(subnet);
    if (!excluded) return unknown(`subnet ${subnet.name} has excludeIps that are no addresses: ${(spec.excludeIps ?? []).join(', ')}`);
    const held = view.tallied(heldAddresses, subnet.name);
    const families = spec.protocol === 'IPv6' ? (['v6'] as const) : (['v4'] as const);
    for (const family of families) {
      const counted = wholeNumber(status[`${family}usingIPs`]);
      if (counted === undefined) return unknown(`subnet ${subnet.name} has ${family}usingIPs ${JSON.stringify(status[`${family}usingIPs`] ?? null)}, which is no count`);
      const addresses = held?.[spec.protocol === 'Dual' ? 'first' : family];
      const really = BigInt(addresses ? addresses.size - countIn(addresses, held!.byOthers, excluded) : 0);
      if (counted === really) continue;
      return violation({
        says: `subnet ${subnet.name} counts ${counted} addresses in use, but ${really} are held`,
        proof: [value(subnet, `status.${family}usingIPs`, String(counted)), value(subnet, 'addresses held by IP, Vip, IptablesEIP and OvnEip objects', String(really))],
      });
    }
    return healthy;
  },
});

/** `excludeIps` without the gateway; undefined when one cannot be read. */
function excludedRanges({ object: { spec } }: Entity<'Subnet'>): IpRange[] | undefined {
  const gateways = new Set((spec?.gateway ?? '').split(','));
  try {
    return (spec?.excludeIps ?? []).filter((it) => !gateways.has(it)).map((it) => parseRange(it));
  } catch {
    return undefined;
  }
}

type Addresses = ReadonlyMap<string, number>;

/** How many of the addresses lie in the ranges and in IP objects only, by walking whichever is smaller: mostly a gateway or two. */
function countIn(addresses: Addresses, byOthers: Addresses, ranges: readonly IpRange[]): number {
  const set = IpRangeSet.of(ranges);
  const within = set.size() <= BigInt(addresses.size) ? set.ranges().flatMap((it) => heldWithin(it, addresses)) : [...addresses.keys()].filter((it) => set.contains(parseIp(it)));
  return within.filter((it) => !byOthers.has(it)).length;
}

function heldWithin({ family, first, last }: IpRange, addresses: Addresses): string[] {
  const held: string[] = [];
  for (let at = first; at <= last; at += 1n) {
    const address = formatIp({ family, value: at });
    if (addresses.has(address)) held.push(address);
  }
  return held;
}

/** Counts are integers, decimals of arbitrary length from v1.16 on, as numbers or strings. */
function wholeNumber(count: number | string | undefined): bigint | undefined {
  const text = String(count ?? '');
  return /^\d+(?:\.0+)?$/.test(text) ? BigInt(text.split('.')[0]!) : undefined;
}
