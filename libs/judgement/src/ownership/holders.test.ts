import { protectingHolder } from './holders';
import type { NbRow, Neighbourhood } from './grammar/row';

const held = (uid: string, by: string | undefined, external_ids: object = {}): NbRow => ({
  kind: 'Logical_Switch',
  uid,
  name: uid,
  object: {
    external_ids: { vendor: 'kube-ovn', ...external_ids },
    ...(by !== undefined && { _parents: [{ kind: 'Logical_Switch', uid: by, column: 'ports' }] }),
  },
});
const among = (...rows: readonly NbRow[]): Neighbourhood => ({
  row: (uid) => rows.find((it) => it.uid === uid),
  protectingChildren: () => [],
  referrers: () => [],
  presence: () => 'absent',
});

test("nothing keeps a row whose holders are all Kube-OVN's", () => {
  expect(protectingHolder(held('a', 'b'), among(held('b', 'c'), held('c', undefined)))).toBe(
    undefined,
  );
});

test.each([
  ['that is not to be found', among(), 'unknown'],
  ['of somebody else', among(held('b', undefined, { 'neutron:x': '1' })), 'neutron'],
  [
    'whose holder is of somebody else',
    among(held('b', 'c'), held('c', undefined, { 'neutron:x': '1' })),
    'neutron',
  ],
  ['whose holder is not to be found', among(held('b', 'c')), 'unknown'],
  ['that nobody can know', among(held('b', undefined, { somebody: '1' })), 'unknown'],
  [
    'that lacks the tag',
    among({ ...held('b', undefined), object: { external_ids: {} } }),
    'unknown',
  ],
])('a holder %s keeps it', (_, neighbourhood, owner) =>
  expect(protectingHolder(held('a', 'b'), neighbourhood)).toMatchObject({ owner }),
);

test('rows that hold one another in a circle are kept: nothing is known about them', () => {
  expect(protectingHolder(held('a', 'b'), among(held('a', 'b'), held('b', 'a')))).toMatchObject({
    owner: 'unknown',
  });
});
