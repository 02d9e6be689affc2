import fc from 'fast-check';
import { entityOf, ip } from '../testing/builders';
import { holdersByMinute, UNDATED } from './holders-by-minute';

const made = (name: string, creationTimestamp?: string) =>
  entityOf(
    ip(name, {}, { metadata: creationTimestamp === undefined ? {} : { creationTimestamp } }),
  );
const holders = [
  made('a.shop', '1970-01-01T00:01:00Z'),
  made('b.shop', '1970-01-01T00:01:59Z'),
  made('c.shop', '1970-01-01T00:02:00Z'),
  made('d.shop'),
  made('e.shop', 'nonsense'),
];
const figureOf = (some: readonly (typeof holders)[number][]) => {
  const figure = holdersByMinute.start();
  some.forEach((it) => holdersByMinute.add(figure, it, 'apps'));
  return figure;
};

test('counts by the minute, and apart those of which it is not known', () =>
  expect([...figureOf(holders)].sort()).toEqual([
    [UNDATED, 2],
    ['1', 2],
    ['2', 1],
  ]));

test('removing undoes adding, in any order', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(holders), fc.shuffledSubarray(holders), (some, gone) => {
      const figure = figureOf(some);
      gone
        .filter((it) => some.includes(it))
        .forEach((it) => holdersByMinute.remove(figure, it, 'apps'));
      expect([...figure].sort()).toEqual(
        [...figureOf(some.filter((it) => !gone.includes(it)))].sort(),
      );
    }),
  );
});
