import { type HeldAddresses, heldFirst } from '../tallies/held-addresses';
import { parseIp } from '@ovn-steward/shared/address';
import type { Entity } from '../world/entity';
import { allocatable, inIpam } from './subnet-ipam';
import { type AddressFamily, addressesWithin } from './subnet-usage';

type Allocatable = NonNullable<ReturnType<typeof allocatable>>;

/** Addresses and objects that are named. */
const MOST = 3;

/**
 * Why a subnet's count is another than that of the addresses held in it, as far as it shows:
 * clauses, empty where nothing does. Costs what the IPAM's text has of ranges and how many IP objects
 * have no label, not how many addresses there are.
 */
export function countExplained(
  subnet: Entity<'Subnet'>,
  family: AddressFamily,
  held: HeldAddresses | undefined,
  countsLess: boolean,
): readonly string[] {
  const from = allocatable(subnet);
  return [
    ...(from ? ipamExplained(subnet, family, held, from) : []),
    ...repeated(family, held),
    ...(from && held && countsLess ? uncounted(subnet.name, held, from) : []),
  ];
}

/** What nobody else's record has counted, and `excludeIps` does not leave out. */
function uncounted(subnet: string, held: HeldAddresses, { excluded }: Allocatable): string[] {
  const records = heldFirst(held);
  const all = [...held.unlabelled.values()]
    .filter(({ address: it }) => records.get(it) === 1 && !excluded.contains(parseIp(it)))
    .map(({ name }) => name)
    .sort();
  if (all.length === 0) return [];
  const more = all.length > MOST ? ` and ${all.length - MOST} more` : '';
  return [
    `the controller does not count ${all.length > 1 ? 'IPs' : 'IP'} ${all.slice(0, MOST).join(', ')}${more} without the label ${subnet}=""`,
  ];
}

function ipamExplained(
  subnet: Entity<'Subnet'>,
  family: AddressFamily,
  held: HeldAddresses | undefined,
  { excluded }: Allocatable,
): string[] {
  const ipam = inIpam(subnet, family);
  if (!ipam) return [];
  const addresses = held?.[family] ?? new Map<string, number>();
  const recorded = addresses.size - addressesWithin(addresses, excluded).length;
  const more = ipam.difference(excluded).size() - BigInt(recorded);
  if (more === 0n) return [];
  return more > 0n
    ? [`its IPAM has ${more} more than objects record`]
    : [`its IPAM has ${-more} less than objects record`];
}

function repeated(family: AddressFamily, held: HeldAddresses | undefined): string[] {
  const records = held?.[family];
  if (!records) return [];
  const all = [...held.repeated].filter((it) => records.has(it)).sort();
  const named = all.slice(0, MOST).map((it) => `${it} has ${records.get(it)} records`);
  return all.length > MOST ? [...named, `${all.length - MOST} more have several`] : named;
}
