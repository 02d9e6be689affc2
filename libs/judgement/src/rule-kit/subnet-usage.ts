import { formatIp, parseIp, parseRange } from '@ovn-steward/shared/address';
import type { IpRange } from '@ovn-steward/shared/address';
import { IpRangeSet } from '@ovn-steward/shared/ip-range-set';
import { type HeldAddresses, heldFirst } from '../tallies/held-addresses';
import type { Entity } from '../world/entity';

export const ADDRESS_FAMILIES = ['v4', 'v6'] as const;
export type AddressFamily = (typeof ADDRESS_FAMILIES)[number];

/** `excludeIps` without the gateway; undefined when one cannot be read. */
export function excludedRanges({ object: { spec } }: Entity<'Subnet'>): IpRange[] | undefined {
  const gateways = new Set((spec?.gateway ?? '').split(','));
  return rangesOf((spec?.excludeIps ?? []).filter((it) => !gateways.has(it)));
}

/** Undefined when one of the texts is no address and no range. */
export function rangesOf(texts: readonly string[]): IpRange[] | undefined {
  try {
    return texts.map((it) => parseRange(it));
  } catch {
    return undefined;
  }
}

/**
 * How many addresses are in use as Kube-OVN would count them if it counted right: distinct ones, an
 * IP object's address in the excluded ranges not among them, nor one that nobody was given, a
 * dual-stack record once for both families (kube-ovn.md §6.5).
 */
export function countedIn(
  { object: { spec } }: Entity<'Subnet'>,
  family: AddressFamily,
  held: HeldAddresses | undefined,
  excluded: readonly IpRange[],
): bigint {
  if (!held) return 0n;
  const isDual = spec?.protocol === 'Dual';
  const [addresses, asked] = isDual
    ? [heldFirst(held), held.askedFirst]
    : [held[family], held.asked];
  const nobodys = [...asked].filter(([it, records]) => addresses.get(it) === records).length;
  return BigInt(addresses.size - nobodys - withinRanges(addresses, held.byOthers, excluded));
}

/** How many addresses of the family are held, the same excluded ones not among them. */
export const heldCount = (
  family: AddressFamily,
  held: HeldAddresses | undefined,
  excluded: readonly IpRange[],
): bigint =>
  BigInt(held ? held[family].size - withinRanges(held[family], held.byOthers, excluded) : 0);

type Addresses = ReadonlyMap<string, number>;

/** How many of the addresses lie in the ranges and in IP objects only. */
const withinRanges = (
  addresses: Addresses,
  byOthers: Addresses,
  ranges: readonly IpRange[],
): number =>
  addressesWithin(addresses, IpRangeSet.of(ranges)).filter((it) => !byOthers.has(it)).length;

/**
 * Which of the addresses lie in the set, by walking whichever is smaller: mostly a gateway or two.
 */
export const addressesWithin = (addresses: Addresses, set: IpRangeSet): string[] =>
  set.size() <= BigInt(addresses.size)
    ? set.ranges().flatMap((it) => heldWithin(it, addresses))
    : [...addresses.keys()].filter((it) => set.contains(parseIp(it)));

function heldWithin({ family, first, last }: IpRange, addresses: Addresses): string[] {
  const held: string[] = [];
  for (let at = first; at <= last; at += 1n) {
    const address = formatIp({ family, value: at });
    if (addresses.has(address)) held.push(address);
  }
  return held;
}

/**
 * Counts are integers, decimals of arbitrary length from v1.16 on, as numbers or strings; undefined
 * for what is no count.
 */
export function addressCount(count: number | string | undefined): bigint | undefined {
  const text = String(count ?? '');
  return /^\d+(?:\.0+)?$/.test(text) ? BigInt(text.split('.')[0]!) : undefined;
}
