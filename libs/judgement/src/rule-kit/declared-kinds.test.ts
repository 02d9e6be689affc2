import { declaredKinds, KindBits } from './declared-kinds';

const rule = { subject: 'IP', reads: ['Pod', 'IP'], consults: ['Subnet'] } as const;

test('a rule needs its subject and what it reads, and not what it consults', () => {
  const { needs, all } = declaredKinds(rule);
  expect([...needs]).toEqual(['IP', 'Pod']);
  expect(['IP', 'Pod', 'Subnet', 'Node'].map((kind) => all.of(kind))).toEqual([1, 2, 4, undefined]);
});

test('all clusters share what a rule declares', () =>
  expect(declaredKinds(rule)).toBe(declaredKinds(rule)));

test('kinds are found again by their bits, and given twice they are one', () => {
  const bits = new KindBits(['Pod', 'ACL', 'Pod', 'Node']);
  expect(bits.in(bits.of('ACL')! | bits.of('Node')!)).toEqual(['ACL', 'Node']);
  expect(bits.in(bits.tables)).toEqual(['ACL']);
});

test('where there are more kinds than bits, the last ones are read together', () => {
  const kinds = Array.from({ length: 33 }, (_, nth) => `kind-${nth}`);
  const bits = new KindBits(kinds);
  expect(bits.in(bits.of('kind-32')!)).toEqual(kinds.slice(30));
  expect(bits.in(bits.of('kind-29')!)).toEqual(['kind-29']);
});
