import { excludeCidr, mergeCidr } from 'cidr-tools';
import * as fc from 'fast-check';
import { formatIp, formatRange, type IpRange, parseIp, parseRange } from './address';
import { IpRangeSet } from './ip-range-set';

/**
 * A world of two times 40 addresses at the edges of the families, small enough that intervals meet
 * and overlap.
 */
const BASE = { 4: 0xffffffffn - 39n, 6: 0n } as const;
const SPAN = 40;
const range = fc
  .record({
    family: fc.constantFrom(4 as const, 6 as const),
    a: fc.nat(SPAN - 1),
    b: fc.nat(SPAN - 1),
  })
  .map(({ family, a, b }): IpRange => ({
    family,
    first: BASE[family] + BigInt(Math.min(a, b)),
    last: BASE[family] + BigInt(Math.max(a, b)),
  }));
const ranges = fc.array(range, { maxLength: 8 });

const key = (family: 4 | 6, value: bigint): string => `${family}/${value}`;
const modelOf = (list: readonly IpRange[]): Set<string> =>
  new Set(
    list.flatMap(({ family, first, last }) =>
      Array.from({ length: Number(last - first) + 1 }, (_, n) => key(family, first + BigInt(n))),
    ),
  );
const everywhere = ([4, 6] as const).flatMap((family) =>
  Array.from({ length: SPAN }, (_, n) => ({ family, value: BASE[family] + BigInt(n) })),
);

const expectEqual = (set: IpRangeSet, model: Set<string>): void => {
  expect(everywhere.filter((ip) => set.contains(ip)).map((ip) => key(ip.family, ip.value))).toEqual(
    everywhere.map((ip) => key(ip.family, ip.value)).filter((it) => model.has(it)),
  );
  expect(set.size()).toBe(BigInt(model.size));
  expect(set.size(4) + set.size(6)).toBe(set.size());
  const list = set.ranges();
  list.slice(1).forEach((next, at) => {
    const before = list[at] as IpRange;
    expect(next.family > before.family || next.first > before.last + 1n).toBe(true);
  });
};

describe('IpRangeSet', () => {
  it('agrees with a plain set of addresses', () => {
    fc.assert(
      fc.property(ranges, ranges, range, (left, right, one) => {
        const a = IpRangeSet.of(left);
        const b = IpRangeSet.of(right);
        const inA = modelOf(left);
        const inB = modelOf(right);
        expectEqual(a, inA);
        expectEqual(a.union(b), new Set([...inA, ...inB]));
        expectEqual(a.difference(b), new Set([...inA].filter((it) => !inB.has(it))));
        const grown = new IpRangeSet();
        left.forEach((it) => grown.add(it));
        expect(grown.ranges()).toEqual(a.ranges());
        const gap = everywhere.find(
          (ip) =>
            ip.family === one.family &&
            ip.value >= one.first &&
            ip.value <= one.last &&
            !a.contains(ip),
        );
        expect(a.firstGap(one)).toEqual(gap);
      }),
    );
  });

  it('leaves its operands alone', () => {
    const a = IpRangeSet.of([parseRange('10.0.0.0/30')]);
    const b = IpRangeSet.of([parseRange('10.0.0.1')]);
    const joined = a.union(IpRangeSet.of([]));
    joined.add(parseRange('10.9.0.0/16'));
    a.difference(b);
    expect([a.size(), b.size(), joined.size()]).toEqual([4n, 1n, 4n + 65536n]);
  });

  it('agrees with cidr-tools on networks', () => {
    const network = fc.oneof(
      fc
        .tuple(fc.bigInt({ min: 0n, max: 0xffn }), fc.integer({ min: 24, max: 32 }))
        .map(([host, prefix]) =>
          parseRange(`${formatIp({ family: 4, value: 0x0a000000n + host })}/${prefix}`),
        ),
      fc
        .tuple(fc.bigInt({ min: 0n, max: 0xffn }), fc.integer({ min: 120, max: 128 }))
        .map(([host, prefix]) =>
          parseRange(`${formatIp({ family: 6, value: (0xfd00n << 112n) + host })}/${prefix}`),
        ),
    );
    const cidrs = (list: readonly IpRange[]): string[] =>
      list.map(
        ({ family, first, last }) =>
          `${formatIp({ family, value: first })}/${(family === 4 ? 32 : 128) - (last - first).toString(2).replace(/^0$/, '').length}`,
      );
    const ours = (set: IpRangeSet): string[] => set.ranges().map(formatRange);
    const theirs = (list: readonly string[]): string[] =>
      IpRangeSet.of(list.map(parseRange)).ranges().map(formatRange);
    fc.assert(
      fc.property(
        fc.array(network, { maxLength: 10 }),
        fc.array(network, { maxLength: 10 }),
        (left, right) => {
          expect(ours(IpRangeSet.of(left).union(IpRangeSet.of(right)))).toEqual(
            theirs(mergeCidr(cidrs([...left, ...right]))),
          );
          expect(ours(IpRangeSet.of(left).difference(IpRangeSet.of(right)))).toEqual(
            theirs(excludeCidr(cidrs(left), cidrs(right))),
          );
        },
      ),
    );
  });

  it('counts networks beyond 2^53 exactly', () => {
    const set = IpRangeSet.of([parseRange('fd00:50:1::/64'), parseRange('::/0')]);
    expect(set.size(6)).toBe(2n ** 128n);
    expect(set.firstGap(parseRange('::/0'))).toBeUndefined();
  });

  it('holds 150,000 scattered addresses', () => {
    const set = IpRangeSet.of(
      Array.from({ length: 150_000 }, (_, n) => ({
        family: 4 as const,
        first: BigInt(n * 2),
        last: BigInt(n * 2),
      })),
    );
    expect(set.union(IpRangeSet.of([parseRange('10.0.0.1')])).size()).toBe(150_001n);
    expect(set.contains(parseIp('0.0.0.2'))).toBe(true);
    set.add({ family: 4, first: 0n, last: 299_999n });
    expect(set.ranges()).toHaveLength(1);
  });
});
