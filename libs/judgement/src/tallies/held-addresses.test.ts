import fc from 'fast-check';
import { entityOf, ip, object } from '../testing/builders';
import { heldAddresses, heldFirst } from './held-addresses';

const at = (name: string, v4: string, v6 = '', more: Record<string, unknown> = {}) =>
  entityOf(ip(name, { v4IpAddress: v4, v6IpAddress: v6, ...more }));
const holders = [
  at('a.shop', '10.17.0.1'),
  at('b.shop', '10.17.0.1'),
  at('c.shop', '10.17.0.2', 'fd00::2'),
  at('d.shop', '', 'FD00:0::2'),
  at('e.shop', 'nonsense'),
  at('f.shop', '172.20.0.1', '', {
    subnet: 'data',
    attachSubnets: ['apps', 'apps'],
    attachIps: ['10.17.0.3', '10.17.0.4'],
  }),
  entityOf(object('Vip', 'v', { spec: { subnet: 'apps', v4ip: '10.17.0.1' } })),
];

const figureOf = (some: readonly (typeof holders)[number][]) => {
  const figure = heldAddresses.start();
  some.forEach((it) => heldAddresses.add(figure, it, 'apps'));
  return figure;
};

test('each address counts once, whoever holds it, and a record once by its first', () => {
  const figure = figureOf(holders);
  expect([...figure.v4.keys()].sort()).toEqual([
    '10.17.0.1',
    '10.17.0.2',
    '10.17.0.3',
    '10.17.0.4',
  ]);
  expect([...figure.v6.keys()]).toEqual(['fd00::2']);
  expect([...heldFirst(figure).keys()].sort()).toEqual([
    '10.17.0.1',
    '10.17.0.2',
    '10.17.0.3',
    'fd00::2',
  ]);
  expect(figure.v4.get('10.17.0.1')).toBe(3);
});

test('removing undoes adding, in any order', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(holders), fc.shuffledSubarray(holders), (some, gone) => {
      const left = some.filter((it) => !gone.includes(it));
      const figure = figureOf(some);
      gone
        .filter((it) => some.includes(it))
        .forEach((it) => heldAddresses.remove(figure, it, 'apps'));
      const plain = (it: ReturnType<typeof figureOf>) =>
        [it.v4, it.v6, heldFirst(it), it.unlabelled].map((map) => [...map].sort());
      expect(plain(figure)).toEqual(plain(figureOf(left)));
    }),
  );
});
