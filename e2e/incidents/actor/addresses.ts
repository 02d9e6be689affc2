import { formatIp, parseCidr, parseIp, parseRange } from '@ovn-steward/shared/address';
import { IpRangeSet } from '@ovn-steward/shared/ip-range-set';
import type { Objects, Thing } from './objects';

const SUBNET_LABEL = 'ovn.kubernetes.io/subnet';
const RESERVED_LABEL = 'ovn.kubernetes.io/ip_reserved';

/** Every object that holds addresses, listed once. */
export interface Holders {
  readonly ips: readonly Thing[];
  readonly vips: readonly Thing[];
  readonly eips: readonly Thing[];
  readonly ovnEips: readonly Thing[];
}

export const holdersOf = async (objects: Objects): Promise<Holders> => ({
  ips: await objects.list('IP'),
  vips: await objects.list('Vip'),
  eips: await objects.list('IptablesEIP'),
  ovnEips: await objects.list('OvnEip'),
});

export const field = (thing: Thing, name: string): string => String(thing.spec?.[name] ?? '');
const listOf = (thing: Thing, name: string): readonly string[] =>
  (thing.spec?.[name] ?? []) as string[];

export const isOvn = (subnet: Thing): boolean =>
  ['', 'ovn'].includes(field(subnet, 'provider')) || field(subnet, 'provider').endsWith('.ovn');

/**
 * The IPv4 counts of a subnet's status, by Kube-OVN's own arithmetic: of records, not of addresses
 * (kube-ovn.md §6.5).
 */
export function countsOf(
  subnet: Thing,
  { ips, vips, eips, ovnEips }: Holders,
): { readonly v4usingIPs: number; readonly v4availableIPs: number } {
  const { name } = subnet.metadata;
  const gateway = field(subnet, 'gateway');
  const excluded = IpRangeSet.of(
    listOf(subnet, 'excludeIps')
      .filter((it) => it !== gateway)
      .map(parseRange),
  );
  const isExcluded = (address: string): boolean =>
    address !== '' && excluded.contains(parseIp(address));
  const labelled = (of: readonly Thing[]): number =>
    of.filter(({ metadata }) => metadata.labels?.[SUBNET_LABEL] === name).length;
  const records = ips.filter(
    (ip) =>
      (field(ip, 'subnet') === name || listOf(ip, 'attachSubnets').includes(name)) &&
      !isExcluded(field(ip, 'v4IpAddress')),
  ).length;
  const bound = vips.filter(
    ({ metadata }) =>
      metadata.labels?.[SUBNET_LABEL] === name && (metadata.labels[RESERVED_LABEL] ?? '') === '',
  ).length;
  const v4usingIPs = records + bound + labelled(eips) + labelled(ovnEips);
  return { v4usingIPs, v4availableIPs: Math.max(0, usableIn(subnet) - v4usingIPs) };
}

/** Without the first, the last and the excluded ones. */
export function usableIn(subnet: Thing): number {
  const { first, last } = parseCidr(field(subnet, 'cidrBlock').split(',')[0]!).range;
  return (
    Number(last - first) -
    1 -
    Number(IpRangeSet.of(listOf(subnet, 'excludeIps').map(parseRange)).size(4))
  );
}

/**
 * The lowest IPv4 address that no record holds; undefined when there is none ("no available
 * address").
 */
export function freeAddress(
  subnet: Thing,
  { ips, vips, eips, ovnEips }: Holders,
): string | undefined {
  const { first, last, family } = parseCidr(field(subnet, 'cidrBlock').split(',')[0]!).range;
  const excluded = IpRangeSet.of(listOf(subnet, 'excludeIps').map(parseRange));
  const held = new Set([
    ...ips.map((it) => field(it, 'v4IpAddress')),
    ...vips.map((it) => field(it, 'v4ip')),
    ...eips.map((it) => String(it.status?.['ip'] ?? '')),
    ...ovnEips.map((it) => String(it.status?.['v4Ip'] ?? '')),
  ]);
  for (let value = first + 1n; value < last; value += 1n) {
    const address = formatIp({ family, value });
    if (!excluded.contains({ family, value }) && !held.has(address)) return address;
  }
  return undefined;
}
