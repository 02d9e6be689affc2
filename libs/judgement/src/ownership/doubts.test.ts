import { doubtAbout } from './doubts';
import { localEvidence } from './local-evidence';
import type { NbRow, Neighbourhood } from './grammar/row';

const row = (kind: string, name: string, ids: object = {}, object: object = {}): NbRow => ({
  kind,
  uid: name || 'u',
  name,
  object: { external_ids: { vendor: 'kube-ovn', ...ids }, ...object },
});
const among = (how: Partial<Neighbourhood> = {}): Neighbourhood => ({
  row: () => undefined,
  protectingChildren: () => [],
  referrers: () => [],
  presence: () => 'absent',
  ...how,
});
const doubt = (it: NbRow, how: Partial<Neighbourhood> = {}) =>
  doubtAbout(it, localEvidence(it), among(how));
const heldBy = (...uids: readonly string[]) => ({
  _parents: uids.map((uid) => ({ kind: 'Logical_Switch', uid, column: 'ports' })),
});

describe('a balancer with a free name', () => {
  const free = row('Load_Balancer', 'odnat-a');
  const by = (kind: string) => ({ referrers: () => [row(kind, 'r')] });

  it("is kept, unless a router of Kube-OVN's has it", () => {
    expect(doubt(free)).toMatchObject({ confidence: 2 });
    expect(doubt(free, by('Logical_Switch'))).toMatchObject({ confidence: 2 });
    expect(doubt(free, by('Logical_Router'))).toBeUndefined();
  });
});

describe('a port', () => {
  const port = (object: object) =>
    row('Logical_Switch_Port', 'web.shop', { ls: 'net', pod: 'shop/web' }, object);
  const on = (name: string) => ({ row: () => row('Logical_Switch', name) });

  it('is kept when nobody holds it, or two do, or another than its key names', () => {
    expect(doubt(port({}))).toMatchObject({ reason: 'no row is known to hold it' });
    expect(doubt(port(heldBy('a', 'b')), on('net'))).toMatchObject({
      reason: expect.stringContaining('2 rows hold it'),
    });
    expect(doubt(port(heldBy('a')), on('other'))).toMatchObject({
      reason: expect.stringContaining('its key ls names net, but Logical_Switch other holds it'),
    });
    expect(doubt(port(heldBy('a')), on('net'))).toBeUndefined();
  });
});

describe.each([
  ['Logical_Switch', 'Subnet'],
  ['Logical_Router', 'Vpc'],
])('a %s', (table, kind) => {
  it.each([
    ['present', 'exists'],
    ['unknown', 'not known whether'],
    ['absent', undefined],
  ] as const)(`whose ${kind} is %s`, (presence, says) => {
    const found = doubt(row(table, 'x'), {
      presence: (requested, name) => (requested === kind && name === 'x' ? presence : 'absent'),
    });
    if (says === undefined) expect(found).toBeUndefined();
    else expect(found?.reason).toContain(says);
  });
});
