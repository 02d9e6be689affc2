import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding, FormerContent } from '@ovn-steward/contracts/findings/finding';
import { operation as op, type Row } from '@ovn-steward/ovsdb';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import { createRoles } from '@ovn-steward/systems/ovn/column-role';
import { rowObject } from '@ovn-steward/systems/ovn/row-object';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { contentOf, recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { takeSnapshot } from './snapshot';
import { referrersIn } from './references';
import { applyRestore, viewRestore } from './restore';

const { signal } = new AbortController();
const SAMPLE = join(__dirname, '../../../contracts/examples/finding.v1.confirmed.json');
const sample = { ...(JSON.parse(readFileSync(SAMPLE, 'utf8')) as Finding), cluster: 'c' };

let folder = '';
let northbound: MemoryNorthbound;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'damage-'));
  northbound = await recordedNorthbound('shared-neutron');
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (content: unknown): string => {
  const path = join(folder, 'damage.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
};
const view = (path: string, cluster = 'c') =>
  viewRestore({
    file: path,
    cluster,
    northbound,
    selection: { owners: undefined, tables: undefined, removeNew: false },
    otherCluster: false,
    signal,
  });

/** Every row; of ports not what northd writes. */
const withoutUp = (): unknown =>
  JSON.parse(
    JSON.stringify(contentOf(northbound), (key, value: unknown) => (key === 'up' ? 0 : value)),
  );

/** The row as a finding carries it. */
async function contentBefore(gone: boolean, of: (row: Row) => boolean): Promise<FormerContent> {
  const { replica } = await takeSnapshot(northbound, signal);
  const row = [...replica.schema.tables.keys()].flatMap((it) => [...replica.rows(it)]).find(of)!;
  const referrers = referrersIn(replica).get(rowKey(row.table, row.uuid)) ?? [];
  const held = referrers.map((referrer) => ({
    kind: referrer.table,
    uid: referrer.uuid,
    column: referrer.column.column.name,
  }));
  const roles = createRoles('ovn-nb');
  return {
    table: row.table,
    uid: row.uuid,
    owner: 'neutron',
    gone,
    row: rowObject(
      row,
      (column) => roles(row.table, column),
      held.filter((it) => it.kind !== 'Port_Group' || row.table === 'ACL'),
      held.filter((it) => it.kind === 'Port_Group' && row.table !== 'ACL'),
    ),
    referrers: [],
  };
}

const write = (...operations: Parameters<MemoryNorthbound['database']['transact']>[0]): void => {
  const result = northbound.database.transact(operations);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
};

test('a port that vanished stands again in its switch and its groups, and an ACL in the tier it had', async () => {
  const before = withoutUp();
  const port = await contentBefore(
    true,
    (row) => row.table === 'Logical_Switch_Port' && String(row.get('name')).length === 36,
  );
  const acl = await contentBefore(false, (row) => row.table === 'ACL');
  expect(port.row).toMatchObject({
    _port_groups: expect.arrayContaining([expect.any(String)]) as unknown,
  });
  const [{ uid: holder }] = port.row['_parents'] as [{ uid: string }];
  write(
    op.mutate('Logical_Switch', op.byUuid(holder), [['ports', 'delete', op.uuid(port.uid)]]),
    op.update('ACL', op.byUuid(acl.uid), { tier: 3 }),
  );
  expect(withoutUp()).not.toEqual(before);

  const seen = await view(file([{ ...sample, was: [port, acl] }]));
  expect(seen.plan).toMatchObject({ leftOut: [], losses: [], removals: [] });
  await applyRestore(seen, { northbound, cluster: 'c', folder, at: new Date(), signal });
  expect(withoutUp()).toEqual(before);
});

test('what rows that stand lost comes back, beside what their owner has added since', async () => {
  const { replica } = await takeSnapshot(northbound, signal);
  const filled = (table: string, column: string): Row =>
    [...replica.rows(table)].find((it) => JSON.stringify(plain(it.get(column))).length > 4)!;
  const plain = (value: unknown): unknown =>
    value instanceof Map || value instanceof Set ? [...value] : value;
  const set = filled('Address_Set', 'addresses');
  const balancer = filled('Load_Balancer', 'vips');
  const group = filled('Port_Group', 'ports');
  const [listed] = [...(group.get('ports') as ReadonlySet<string>)];
  const was = [
    await contentBefore(false, (it) => it.uuid === set.uuid),
    await contentBefore(false, (it) => it.uuid === balancer.uuid),
    {
      ...(await contentBefore(false, (it) => it.uuid === listed)),
      row: { _port_groups: [group.uuid] },
    },
  ];
  const before = withoutUp();
  const keys = [...(balancer.get('vips') as ReadonlyMap<string, string>).keys()];
  write(
    op.update('Address_Set', op.byUuid(set.uuid), { addresses: op.set([]) }),
    op.mutate('Load_Balancer', op.byUuid(balancer.uuid), [['vips', 'delete', op.set(keys)]]),
    op.mutate('Port_Group', op.byUuid(group.uuid), [['ports', 'delete', op.uuid(listed!)]]),
  );
  expect(withoutUp()).not.toEqual(before);
  const added = { '198.51.100.7:7': '10.0.0.7:7' };
  write(
    op.mutate('Address_Set', op.byUuid(set.uuid), [
      ['addresses', 'insert', op.set(['198.51.100.7'])],
    ]),
    op.mutate('Load_Balancer', op.byUuid(balancer.uuid), [
      ['vips', 'insert', op.map(Object.entries(added))],
    ]),
  );

  const seen = await view(file([{ ...sample, was }]));
  expect(seen.plan).toMatchObject({ inserts: [], leftOut: [], losses: [], removals: [] });
  await applyRestore(seen, { northbound, cluster: 'c', folder, at: new Date(), signal });
  const after = (await takeSnapshot(northbound, signal)).replica;
  expect(after.get('Address_Set', set.uuid)?.get('addresses')).toContain('198.51.100.7');
  const vips = after.get('Load_Balancer', balancer.uuid)?.get('vips') as ReadonlyMap<
    string,
    string
  >;
  expect([...vips.keys()]).toEqual(expect.arrayContaining([...keys, ...Object.keys(added)]));
  write(
    op.mutate('Address_Set', op.byUuid(set.uuid), [
      ['addresses', 'delete', op.set(['198.51.100.7'])],
    ]),
    op.mutate('Load_Balancer', op.byUuid(balancer.uuid), [
      ['vips', 'delete', op.set(Object.keys(added))],
    ]),
  );
  expect(withoutUp()).toEqual(before);
});

const row = { table: 'ACL', uid: 'x', owner: 'neutron', gone: true, row: {}, referrers: [] };
test.each<[string, unknown, string]>([
  ['of another cluster', { ...sample, cluster: 'other', was: [row] }, 'findings of cluster other'],
  ['without rows', { ...sample, was: [] }, 'carries no row'],
  ['that are resolved', { ...sample, state: 'resolved', was: [row] }, 'carries no row'],
  ['that are none', { some: 'thing' }, 'holds no findings (it is JSON, but neither'],
  ['with what no row can be', { ...sample, was: [row] }, 'a row that this database cannot have'],
])('findings %s are refused, and nothing is written', async (_, content, says) => {
  const before = contentOf(northbound);
  await expect(view(file(content))).rejects.toThrow(says);
  expect(contentOf(northbound)).toEqual(before);
});
