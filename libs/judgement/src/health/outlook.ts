import { compareValues } from '@ovn-steward/shared/compare';
import type { Exhaustion } from './exhaustion';
import type { FamilyHealth, SubnetHealth } from './subnet-health';

/** What a VPC, or the cluster, has of addresses. Null is not known. */
export interface Outlook {
  readonly subnets: number;
  /** The sums over the subnets that have the family. */
  readonly addresses: readonly Pick<FamilyHealth, 'family' | 'held' | 'free'>[];
  /** When none of the subnets will have an address left, at the pace of all together. */
  readonly exhaustion: Exhaustion;
  /** The subnet that will be full first, or is: the first by name of several. */
  readonly first: { readonly subnet: string; readonly fullInSeconds: number } | null;
}

/** A subnet with its own forecast. */
export interface SubnetForecast {
  readonly health: Pick<SubnetHealth, 'name' | 'vpc' | 'addresses'>;
  readonly exhaustion: Exhaustion;
}

const FURTHEST_SECONDS = 365 * 86_400;

/**
 * Sums subnets up. Pods do not move to another subnet when theirs is full, so `first` says when the
 * trouble begins, and `exhaustion` when it is everywhere.
 */
export function outlookOf(subnets: readonly SubnetForecast[]): Outlook {
  return {
    subnets: subnets.length,
    addresses: (['v4', 'v6'] as const).flatMap((family) => {
      const all = subnets.flatMap(({ health }) =>
        health.addresses.filter((it) => it.family === family),
      );
      return all.length === 0
        ? []
        : [{ family, held: sum(all.map((it) => it.held)), free: sum(all.map((it) => it.free)) }];
    }),
    exhaustion: together(subnets),
    first: firstFull(subnets),
  };
}

/** The same of each VPC, by name. */
export function outlookByVpc(
  subnets: readonly SubnetForecast[],
): readonly (Outlook & { readonly vpc: string })[] {
  const vpcs = [...new Set(subnets.map(({ health }) => health.vpc))].sort();
  return vpcs.map((vpc) => ({
    vpc,
    ...outlookOf(subnets.filter(({ health }) => health.vpc === vpc)),
  }));
}

const sum = (counts: readonly (bigint | null)[]): bigint | null =>
  counts.reduce<bigint | null>((all, it) => (all === null || it === null ? null : all + it), 0n);

function together(subnets: readonly SubnetForecast[]): Exhaustion {
  const unknown = subnets.filter(({ exhaustion }) => exhaustion.is === 'unknown');
  if (subnets.length === 0) return { is: 'unknown', reason: 'it has no subnets' };
  if (unknown.length > 0)
    return {
      is: 'unknown',
      reason: `${unknown.map(({ health }) => health.name).sort()[0]} is not known`,
    };
  if (subnets.every(({ exhaustion }) => exhaustion.is === 'full')) return { is: 'full' };
  const growing = subnets.flatMap(({ exhaustion: it }) => (it.is === 'growing' ? [it] : []));
  const taken = growing.reduce((all, it) => all + it.taken, 0);
  const perSecond = growing.reduce((all, it) => all + it.taken / it.windowSeconds, 0);
  const free = subnets.reduce((all, { health }) => all + Number(fewest(health) ?? 0n), 0);
  const fullInSeconds = Math.round(free / perSecond);
  if (taken === 0 || fullInSeconds > FURTHEST_SECONDS) return { is: 'none-in-sight' };
  return {
    is: 'growing',
    taken,
    windowSeconds: Math.max(...growing.map((it) => it.windowSeconds)),
    fullInSeconds,
  };
}

/** Of a dual-stack subnet the family that ends first is that of which fewer are free. */
const fewest = ({ addresses }: SubnetForecast['health']): bigint | null =>
  addresses
    .map((it) => it.free)
    .reduce<bigint | null>(
      (least, it) => (least === null || (it !== null && it < least) ? it : least),
      null,
    );

function firstFull(subnets: readonly SubnetForecast[]): Outlook['first'] {
  const [first] = subnets
    .flatMap(({ health, exhaustion }) =>
      exhaustion.is === 'full'
        ? [{ subnet: health.name, fullInSeconds: 0 }]
        : exhaustion.is === 'growing'
          ? [{ subnet: health.name, fullInSeconds: exhaustion.fullInSeconds }]
          : [],
    )
    .sort((a, b) => a.fullInSeconds - b.fullInSeconds || compareValues(a.subnet, b.subnet));
  return first ?? null;
}
