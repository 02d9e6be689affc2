import { parseRanges } from '@ovn-steward/shared/address';
import { IpRangeSet } from '@ovn-steward/shared/ip-range-set';
import type { Entity } from '../world/entity';
import { type AddressFamily, rangesOf } from './subnet-usage';

const known = new WeakMap<object, Partial<Record<AddressFamily, IpRangeSet>>>();

/**
 * The addresses Kube-OVN's IPAM has in use, which it holds in its memory and shows as text in the
 * status; those in `excludeIps` are not among them (kube-ovn.md §6.1, §6.5). Undefined where the
 * release writes none, or none that can be read.
 */
export function inIpam(
  { object: { status } }: Entity<'Subnet'>,
  family: AddressFamily,
): IpRangeSet | undefined {
  const text = status?.[`${family}usingIPrange`];
  if (text === undefined) return undefined;
  // The text of a large subnet is long, and most of what happens in one leaves the status as it
  // was.
  let sets = known.get(status!);
  if (!sets) known.set(status!, (sets = {}));
  try {
    return (sets[family] ??= IpRangeSet.of(parseRanges(text)));
  } catch {
    return undefined;
  }
}

/** What the IPAM gives from: the CIDR without `excludeIps` and gateways. */
interface Allocatable {
  readonly cidr: IpRangeSet;
  readonly excluded: IpRangeSet;
}

const read = new WeakMap<object, Allocatable | 'unreadable'>();

/**
 * Undefined when one of its texts cannot be read. Called for each address that comes or goes, while
 * the spec stays.
 */
export function allocatable({ object }: Entity<'Subnet'>): Allocatable | undefined {
  let of = read.get(object);
  if (!of) read.set(object, (of = readAllocatable(object.spec) ?? 'unreadable'));
  return of === 'unreadable' ? undefined : of;
}

function readAllocatable(spec: Entity<'Subnet'>['object']['spec']): Allocatable | undefined {
  const split = (text: string | undefined): string[] =>
    (text ?? '')
      .split(',')
      .map((it) => it.trim())
      .filter((it) => it !== '');
  const cidr = rangesOf(split(spec?.cidrBlock));
  const excluded = rangesOf([...(spec?.excludeIps ?? []), ...split(spec?.gateway)]);
  return cidr && excluded
    ? { cidr: IpRangeSet.of(cidr), excluded: IpRangeSet.of(excluded) }
    : undefined;
}
