import fc from 'fast-check';
import { ownershipOf } from './ownership';
import type { PlainRow } from './testing/northbound';
import { northbound, project } from './testing/northbound';
import {
  acl,
  keys,
  KUBE_OVN_ROWS,
  logicalSwitch,
  nat,
  port,
  portGroup,
  route,
} from './testing/plain-rows';
import { readRecording } from './testing/recording';

const U = '8f3a1c2e-0b5d-4e6f-9a7b-1c2d3e4f5a6b';

/**
 * Kube-OVN's rows and a few of others among them, so that there is something kept to become a
 * candidate by mistake.
 */
const ROWS: readonly PlainRow[] = [
  ...KUBE_OVN_ROWS,
  router('tenant'),
  nat('nat', { type: 'snat', logical_port: ['node-worker-1'] }),
  logicalSwitch(`neutron-${U}`, {
    ...keys({ 'neutron:mtu': '1' }),
    ports: [U, 'job.ns1'],
    load_balancer: ['dnat'],
  }),
  port(U, keys({ 'neutron:device_id': 'x' })),
  port('job.ns1', { external_ids: { vendor: 'kube-ovn', ls: `neutron-${U}`, pod: 'ns1/job' } }),
  portGroup('manual', { acls: ['by-hand'], ports: ['web-0.ns1.data.ns1.ovn'] }),
  acl('by-hand', { match: 'ip4.src == $deny.ns1.ingress.allow.IPv4.all' }),
  route('loose'),
];

function router(name: string): PlainRow {
  return {
    table: 'Logical_Router',
    uid: name,
    columns: { name, external_ids: { vendor: 'kube-ovn' }, nat: ['nat'], static_routes: ['loose'] },
  };
}

const verdicts = (rows: readonly PlainRow[]): Map<string, string> => {
  const projected = project(rows);
  const neighbourhood = northbound(projected);
  return new Map(projected.map((it) => [it.uid, ownershipOf(it, neighbourhood).verdict]));
};
const before = verdicts(ROWS);

const ids = (row: PlainRow): Record<string, string> => ({
  ...(row.columns['external_ids'] as Record<string, string> | undefined),
});
const withIds = (row: PlainRow, external_ids: Record<string, string>): PlainRow => ({
  ...row,
  columns: { ...row.columns, external_ids },
});

const FOREIGN_KEYS = [
  'neutron:revision_number',
  'octavia:vip',
  'listener_x',
  'k8s.ovn.org/id',
  'incus_switch',
  'ovirt_device_id',
  'microovn-bgp-managed',
  'submariner',
  'ic-learnt',
  'team',
  '__proto__',
  'ovn-steward.dev/protect',
];

/** Foreign rows that hold the row in the column where the schema puts rows of its table. */
const HOLDER: Readonly<Record<string, readonly [table: string, column: string, name: string]>> = {
  Logical_Switch_Port: ['Logical_Switch', 'ports', `neutron-${U}`],
  ACL: ['Port_Group', 'acls', `pg_${U.replaceAll('-', '_')}`],
  Logical_Router_Port: ['Logical_Router', 'ports', `neutron-${U}`],
  Logical_Router_Static_Route: ['Logical_Router', 'static_routes', 'manual-lr'],
  Logical_Router_Policy: ['Logical_Router', 'policies', 'GR_node1'],
  NAT: ['Logical_Router', 'nat', 'lxd-net2-lr'],
  Load_Balancer_Health_Check: ['Load_Balancer', 'health_check', U],
  Address_Set: ['NAT', 'allowed_ext_ips', ''],
  HA_Chassis_Group: ['Logical_Router_Port', 'ha_chassis_group', `lrp-${U}`],
};

type Change = (rows: readonly PlainRow[], at: number) => readonly PlainRow[];
const replaced = (
  rows: readonly PlainRow[],
  at: number,
  change: (row: PlainRow) => PlainRow,
): readonly PlainRow[] => rows.map((it, index) => (index === at ? change(it) : it));

const foreignKey =
  (key: string): Change =>
  (rows, at) =>
    replaced(rows, at, (row) =>
      withIds(
        row,
        JSON.parse(
          JSON.stringify(ids(row)).replace(
            '{',
            `{${JSON.stringify(key)}:"1"${Object.keys(ids(row)).length ? ',' : ''}`,
          ),
        ) as Record<string, string>,
      ),
    );
const foreignHolder: Change = (rows, at) => {
  const row = rows[at]!;
  const holder = HOLDER[row.table];
  return holder
    ? [
        ...rows,
        { table: holder[0], uid: 'holder', columns: { name: holder[2], [holder[1]]: [row.uid] } },
      ]
    : rows;
};
const foreignReferrer: Change = (rows, at) => {
  const name = String(rows[at]!.columns['name'] ?? '');
  const match = `ip4.src == $${name} && inport == @${name} && outport == "${name}"`;
  return [
    ...rows,
    logicalSwitch('elsewhere', { acls: ['referrer'], load_balancer: [rows[at]!.uid] }),
    acl('referrer', { match, meter: [name] }),
  ];
};
const withoutTag: Change = (rows, at) =>
  replaced(rows, at, (row) => {
    const rest = ids(row);
    delete rest['vendor'];
    return withIds(row, rest);
  });

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom(...FOREIGN_KEYS).map(foreignKey),
  fc.constantFrom(foreignHolder, foreignReferrer, withoutTag),
);
const anyRow = fc.nat(ROWS.length - 1);

it('never opens a kept row because of anything foreign that is added, or a tag that is removed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(change, anyRow), { minLength: 1, maxLength: 4 }), (changes) => {
      const after = verdicts(
        changes.reduce<readonly PlainRow[]>((rows, [by, at]) => by(rows, at), ROWS),
      );
      expect(
        [...before].filter(([uid, was]) => was !== 'candidate' && after.get(uid) === 'candidate'),
      ).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it('closes the row that gets a foreign key, a foreign holder or a foreign referrer, and the one that loses its tag', () => {
  const tables = new Set([
    'Logical_Switch_Port',
    'Port_Group',
    'Address_Set',
    'Load_Balancer',
    'Meter',
    'Logical_Router_Port',
  ]);
  ROWS.forEach((row, at) => {
    const verdict = (by: Change): string => verdicts(by(ROWS, at)).get(row.uid)!;
    for (const key of FOREIGN_KEYS)
      expect([row.uid, key, verdict(foreignKey(key))]).toEqual([row.uid, key, 'protect']);
    if (HOLDER[row.table]) expect([row.uid, verdict(foreignHolder)]).toEqual([row.uid, 'protect']);
    if (tables.has(row.table))
      expect([row.uid, verdict(foreignReferrer)]).toEqual([row.uid, 'protect']);
    if ('vendor' in ids(row)) expect([row.uid, verdict(withoutTag)]).toEqual([row.uid, 'protect']);
  });
});

it('does not depend on the order of rows', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...ROWS], { minLength: ROWS.length }), (shuffled) => {
      expect(new Map([...verdicts(shuffled)].sort())).toEqual(new Map([...before].sort()));
    }),
    { numRuns: 50 },
  );
});

it("opens none of a real database's rows when the tag is taken off", () => {
  const { rows, presence } = readRecording('leaky');
  const bare = rows.map((row) => {
    const { vendor: _, ...rest } = (row.object['external_ids'] ?? {}) as Record<string, string>;
    return { ...row, object: { ...row.object, external_ids: rest } };
  });
  const neighbourhood = northbound(bare, presence);
  expect(
    bare
      .filter((it) => ownershipOf(it, neighbourhood).verdict === 'candidate')
      .map((it) => it.name),
  ).toEqual([]);
});
