import { ascendingBy } from './compare';
import type { Ip, IpFamily, IpRange } from './address';

interface Interval {
  readonly first: bigint;
  readonly last: bigint;
}

/** The first position in the sorted list whose interval ends at or after `value`. */
function positionOf(list: readonly Interval[], value: bigint): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as Interval).last < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sorted, disjoint, never touching: one set of addresses has one list. */
function merged(intervals: readonly Interval[]): Interval[] {
  const list: Interval[] = [];
  for (const next of [...intervals].sort(ascendingBy((it) => it.first))) {
    const before = list.at(-1);
    if (before && next.first <= before.last + 1n)
      list[list.length - 1] = {
        first: before.first,
        last: next.last > before.last ? next.last : before.last,
      };
    else list.push(next);
  }
  return list;
}

/** What of `list` lies outside `without`; both sorted and disjoint. */
function subtracted(list: readonly Interval[], without: readonly Interval[]): Interval[] {
  const left: Interval[] = [];
  for (const { first, last } of list) {
    let from = first;
    for (let at = positionOf(without, first); at < without.length; at += 1) {
      const interval = without[at] as Interval;
      if (interval.first > last) break;
      if (interval.first > from) left.push({ first: from, last: interval.first - 1n });
      from = interval.last + 1n;
    }
    if (from <= last) left.push({ first: from, last });
  }
  return left;
}

const sizeOf = (list: readonly Interval[]): bigint =>
  list.reduce((sum, { first, last }) => sum + (last - first + 1n), 0n);

/**
 * A set of IP addresses of both families, held as sorted intervals: a /64 costs as much as a single
 * address. Lookups are logarithmic in the number of intervals, `add` is linear at worst, the
 * operations on whole sets are linear or better.
 */
export class IpRangeSet {
  readonly #families: Record<IpFamily, Interval[]> = { 4: [], 6: [] };

  static of(ranges: Iterable<IpRange>): IpRangeSet {
    const set = new IpRangeSet();
    const all = [...ranges];
    for (const family of [4, 6] as const)
      set.#families[family] = merged(all.filter((range) => range.family === family));
    return set;
  }

  add({ family, first, last }: IpRange): void {
    const list = this.#families[family];
    const start = positionOf(list, first - 1n);
    let end = start;
    while (end < list.length && (list[end] as Interval).first <= last + 1n) end += 1;
    const touched = merged([...list.slice(start, end), { first, last }]); // one interval: all of them touch the new one
    list.splice(start, end - start, ...touched);
  }

  union(other: IpRangeSet): IpRangeSet {
    return IpRangeSet.of([...this.ranges(), ...other.ranges()]);
  }

  difference(other: IpRangeSet): IpRangeSet {
    const set = new IpRangeSet();
    for (const family of [4, 6] as const)
      set.#families[family] = subtracted(this.#families[family], other.#families[family]);
    return set;
  }

  contains({ family, value }: Ip): boolean {
    const list = this.#families[family];
    const interval = list[positionOf(list, value)];
    return interval !== undefined && interval.first <= value;
  }

  /** The number of addresses, of one family or of both. */
  size(family?: IpFamily): bigint {
    return family
      ? sizeOf(this.#families[family])
      : sizeOf(this.#families[4]) + sizeOf(this.#families[6]);
  }

  /** The lowest address of `within` that is not in the set: the next free one. */
  firstGap({ family, first, last }: IpRange): Ip | undefined {
    const list = this.#families[family];
    const interval = list[positionOf(list, first)];
    const value = interval && interval.first <= first ? interval.last + 1n : first;
    return value <= last ? { family, value } : undefined;
  }

  /** Ascending, IPv4 first, with no two ranges touching. */
  ranges(): IpRange[] {
    return ([4, 6] as const).flatMap((family) =>
      this.#families[family].map((interval) => ({ family, ...interval })),
    );
  }
}
