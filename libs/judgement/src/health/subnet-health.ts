import { ascendingBy } from '@ovn-steward/shared/compare';
import { DEFAULT_VPC } from '@ovn-steward/shared/default-vpc';
import { IpRangeSet } from '@ovn-steward/shared/ip-range-set';
import { isOvnProvider } from '../readiness/subnet-waits-for';
import { heldAddresses } from '../tallies/held-addresses';
import type { HeldAddresses } from '../tallies/held-addresses';
import { HOLDER_KINDS } from '../kube-ovn/address-holders';
import { tryParseCidr } from '../kube-ovn/cidr';
import type { Entity, Kind } from '../world/entity';
import { subnetsOfNamespace } from '../kube-ovn/namespace-subnets';
import {
  countedIn,
  excludedRanges,
  heldCount,
  rangesOf,
  addressCount,
} from '../rule-kit/subnet-usage';
import type { Presence } from '../rule-kit/view';
import type { World } from '../world/world';

/** Addresses of one family. Null is not known; counts are whole numbers of any length. */
export interface FamilyHealth {
  readonly family: 'v4' | 'v6';
  /** What the status says is in use. */
  readonly used: bigint | null;
  /**
   * What the status should say: distinct addresses of IP, Vip, IptablesEIP and OvnEip objects, where
   * an object with an address of each family counts once (kube-ovn.md §6.5).
   */
  readonly counted: bigint | null;
  /**
   * Distinct addresses of this family that the same objects have. In a dual-stack subnet it differs
   * from `counted` where an object has an address of one family only.
   */
  readonly held: bigint | null;
  /** What the status says is free. */
  readonly available: bigint | null;
  /** Usable addresses of the CIDR without `excludeIps` and without `held`; at least 0. */
  readonly free: bigint | null;
}

export interface NamedThing {
  readonly name: string;
  readonly presence: Presence;
}

/** What is known of one subnet's health. Null is not known, or not said. */
export interface SubnetHealth {
  readonly name: string;
  readonly vpc: string;
  readonly cidr: string;
  readonly gateway: string;
  /**
   * Of a subnet whose traffic leaves by one node at a time: which, as the status says; empty where
   * the controller found none of its gateway nodes ready. Null for those that leave by each pod's
   * node, by several nodes at once, by their VPC's router or by a physical network.
   */
  readonly activeGateway: string | null;
  /**
   * Status of the condition as the controller wrote it: true, false, or null for Unknown and for
   * none.
   */
  readonly ready: boolean | null;
  readonly validated: boolean | null;
  /** RFC 3339; when it is being deleted. */
  readonly terminatingSince: string | null;
  /**
   * Those it names, and those whose annotation gives it to their pods; the latter null while
   * Namespaces are not known.
   */
  readonly namespaces: {
    readonly named: readonly string[];
    readonly annotated: readonly string[] | null;
  };
  readonly addresses: readonly FamilyHealth[];
  /** Null for a subnet without a VLAN, and the provider where its Vlan is not known. */
  readonly vlan: NamedThing | null;
  readonly providerNetwork: NamedThing | null;
}

/** Every subnet of the world, by name. */
export function subnetsHealth(world: World): SubnetHealth[] {
  const annotated = world.knows('Namespace') ? namespacesBySubnet(world) : null;
  const known = HOLDER_KINDS.every((it) => world.knows(it));
  return [...world.entities('Subnet')]
    .map((it) => healthOf(it as Entity<'Subnet'>, world, annotated, known))
    .sort(ascendingBy((it) => it.name));
}

function healthOf(
  subnet: Entity<'Subnet'>,
  world: World,
  annotated: ReadonlyMap<string, string[]> | null,
  known: boolean,
): SubnetHealth {
  const { metadata, spec, status } = subnet.object;
  const condition = (type: string): boolean | null => {
    const condition = status?.conditions?.find((it) => it.type === type)?.status;
    return condition === 'True' ? true : condition === 'False' ? false : null;
  };
  const vlan = spec?.vlan ? named(world, 'Vlan', spec.vlan) : null;
  const provider = vlan && providerOf(world, vlan.name);
  return {
    name: subnet.name,
    vpc: spec?.vpc ?? '',
    cidr: spec?.cidrBlock ?? '',
    gateway: spec?.gateway ?? '',
    activeGateway: activeGatewayOf(subnet, world),
    ready: condition('Ready'),
    validated: condition('Validated'),
    terminatingSince: metadata.deletionTimestamp ?? null,
    namespaces: {
      named: [...new Set(spec?.namespaces ?? [])].sort(),
      annotated: annotated && (annotated.get(subnet.name) ?? []),
    },
    addresses: addressesOf(
      subnet,
      known ? (world.tallied(heldAddresses.id, subnet.name) as HeldAddresses | undefined) : null,
    ),
    vlan,
    providerNetwork: provider ? named(world, 'ProviderNetwork', provider) : null,
  };
}

/**
 * Kube-OVN settles a node (`status.activateGateway`) for subnets of the default VPC alone, with
 * gateway type centralized and without ECMP; it leaves those of a VLAN to the physical network
 * unless their gateway is logical.
 */
function activeGatewayOf(
  { object: { spec, status } }: Entity<'Subnet'>,
  world: World,
): string | null {
  if (
    spec?.gatewayType !== 'centralized' ||
    spec.enableEcmp === true ||
    !isOvnProvider(spec.provider || 'ovn') ||
    (spec.vlan && spec.logicalGateway !== true)
  )
    return null;
  const vpc = world.byKey('Vpc', spec.vpc ?? '').at(-1)?.object as
    { status?: { default?: unknown } } | undefined;
  return spec.vpc === DEFAULT_VPC || vpc?.status?.default === true
    ? (status?.activateGateway ?? null)
    : null;
}

const named = (world: World, kind: Kind, name: string): NamedThing => ({
  name,
  presence: world.hasKey(kind, name) ? 'present' : world.knows(kind) ? 'absent' : 'unknown',
});

function providerOf(world: World, vlan: string): string | undefined {
  const provider = (
    world.byKey('Vlan', vlan).at(-1)?.object as { spec?: { provider?: unknown } } | undefined
  )?.spec?.provider;
  return typeof provider === 'string' && provider !== '' ? provider : undefined;
}

/**
 * Names of namespaces by the subnets of their annotation, each once however often the list names it
 * (kube-ovn.md §8.1).
 */
function namespacesBySubnet(world: World): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const entity of world.entities('Namespace')) {
    for (const subnet of new Set(
      subnetsOfNamespace(entity as Entity<'Namespace'>).map((name) => name.trim()),
    ))
      found.set(subnet, [...(found.get(subnet) ?? []), entity.name].sort());
  }
  return found;
}

/**
 * @param held what the records hold, undefined for nothing; null while not all kinds of them are
 *   known.
 */
function addressesOf(
  subnet: Entity<'Subnet'>,
  held: HeldAddresses | undefined | null,
): FamilyHealth[] {
  const { spec, status } = subnet.object;
  if (!spec?.cidrBlock) return [];
  const families =
    spec.protocol === 'Dual'
      ? (['v4', 'v6'] as const)
      : spec.protocol === 'IPv6'
        ? (['v6'] as const)
        : (['v4'] as const);
  const excluded = excludedRanges(subnet);
  return families.map((family) => {
    const counted = held === null || !excluded ? null : countedIn(subnet, family, held, excluded);
    const inFamily = held === null || !excluded ? null : heldCount(family, held, excluded);
    return {
      family,
      counted,
      held: inFamily,
      used: addressCount(status?.[`${family}usingIPs`]) ?? null,
      available: addressCount(status?.[`${family}availableIPs`]) ?? null,
      free:
        inFamily === null ? null : freeOf(spec.cidrBlock!, spec.excludeIps ?? [], family, inFamily),
    };
  });
}

/** Null when the CIDR or an excluded address, the gateway among them, cannot be read. */
function freeOf(
  cidrs: string,
  excludeIps: readonly string[],
  family: 'v4' | 'v6',
  held: bigint,
): bigint | null {
  const version = family === 'v4' ? 4 : 6;
  const block = cidrs
    .split(',')
    .map(tryParseCidr)
    .find((it) => it?.address.family === version);
  const ranges = rangesOf(excludeIps);
  if (!block || !ranges) return null;
  const { first, last } = block.range;
  // As Kube-OVN counts: without the first and the last address, where there are more than two.
  const usable = last - first + 1n > 2n ? last - first - 1n : last - first + 1n;
  const free = usable - IpRangeSet.of(ranges).size(version) - held;
  return free > 0n ? free : 0n;
}
