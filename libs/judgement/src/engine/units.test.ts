import { Units } from './units';

const SUBJECTS = ['Pod', 'IP', 'Pod'];

test('gives each rule on each subject a number of its own, and the same one again', () => {
  const units = new Units(SUBJECTS);
  const all = [
    units.ensure(0, 'a'),
    units.ensure(2, 'a'),
    units.ensure(0, 'b'),
    units.ensure(1, 'a'),
    units.ensure(1, 'b'),
  ];
  expect(new Set(all).size).toBe(5);
  expect([
    units.ensure(0, 'a'),
    units.ensure(2, 'a'),
    units.find(0, 'b'),
    units.find(1, 'a'),
  ]).toEqual([all[0], all[1], all[2], all[3]]);
  expect(all.map((it) => units.get(it))).toEqual([
    { rule: 0, kind: 'Pod', uid: 'a' },
    { rule: 2, kind: 'Pod', uid: 'a' },
    { rule: 0, kind: 'Pod', uid: 'b' },
    { rule: 1, kind: 'IP', uid: 'a' },
    { rule: 1, kind: 'IP', uid: 'b' },
  ]);
});

test('gives those of several rules on one subject as it gives each', () => {
  const units = new Units(SUBJECTS);
  const known = units.ensure(2, 'a');
  expect(units.ensureAll([2, 0], 'a')).toEqual([known, units.ensure(0, 'a')]);
  expect(units.ensureAll([2], 'b')).toEqual([units.ensure(2, 'b')]);
  expect(units.ensureAll([], 'c')).toEqual([]);
  expect(units.find(0, 'c')).toBeUndefined();
});

test('does not know what it was never given', () => {
  const units = new Units(SUBJECTS);
  units.ensure(0, 'a');
  expect([units.find(1, 'a'), units.find(0, 'b'), units.get(99)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("takes back all units of a subject, and no other's", () => {
  const units = new Units(SUBJECTS);
  const pod = units.ensure(0, 'a');
  const other = units.ensure(2, 'a');
  const ip = units.ensure(1, 'a');
  units.release('Pod', 'a');
  units.release('Pod', 'never there');
  expect([units.get(pod), units.get(other), units.find(0, 'a'), units.find(2, 'a')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(units.get(ip)).toEqual({ rule: 1, kind: 'IP', uid: 'a' });
  expect([units.ensure(2, 'b'), units.ensure(0, 'b')].sort()).toEqual([pod, other].sort());
});

test('lists the subjects of a kind', () => {
  const units = new Units(SUBJECTS);
  for (const uid of ['a', 'b', 'gone']) units.ensure(0, uid);
  units.ensure(1, 'c');
  units.release('Pod', 'gone');
  expect([...units.subjects('Pod')]).toEqual(['a', 'b']);
  expect([...units.subjects('Node')]).toEqual([]);
});

test('the number of each rule on a subject is found as it was given', () => {
  const units = new Units(SUBJECTS);
  const second = units.ensure(2, 'a');
  expect(units.find(2, 'a')).toBe(second);
  expect(units.find(0, 'a')).not.toBe(second);
});

test('tells subjects apart whose cells are the same, whichever goes first', () => {
  for (const first of ['a', 'b']) {
    const units = new Units(SUBJECTS, () => 7);
    const a = units.ensure(0, 'a');
    const b = units.ensure(0, 'b');
    const ip = units.ensure(1, 'a');
    expect(new Set([a, b, ip]).size).toBe(3);
    expect([units.find(0, 'a'), units.find(0, 'b'), units.find(1, 'a')]).toEqual([a, b, ip]);
    expect([units.find(0, 'c'), units.find(1, 'b')]).toEqual([undefined, undefined]);
    const other = first === 'a' ? 'b' : 'a';
    units.release('Pod', first);
    expect([units.find(0, first), units.find(0, other)]).toEqual([
      undefined,
      other === 'a' ? a : b,
    ]);
    const again = units.ensure(0, first);
    expect([units.get(again)?.uid, units.find(0, other)]).toEqual([first, other === 'a' ? a : b]);
    expect([...units.subjects('Pod')].sort()).toEqual(['a', 'b']);
    units.release('Pod', other);
    units.release('IP', 'a');
    expect([units.find(0, first), units.find(0, other), units.find(1, 'a')]).toEqual([
      again,
      undefined,
      undefined,
    ]);
  }
});
