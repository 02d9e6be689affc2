import { KNOWN_COLUMNS } from '@ovn-steward/judgement/ownership/known-columns';
import { PROTECTED_TABLES } from '@ovn-steward/judgement/ownership/protected-tables';
import { textReferences } from '@ovn-steward/judgement/ownership/references';
import { RELATIONS } from '@ovn-steward/judgement/relations/registry';
import { type DatabaseSchema, type Json, operation, parseSchema } from '@ovn-steward/ovsdb';
import { memoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { relatedRows, rowsNamed } from './find-rows';
import { LiveRows } from './live-rows';
import { createBulkCache } from './bulk-cache';
import { exactReferences, SCANNED } from './name-references';
import { rowReferences } from './row-references';
import { selectBatch } from './select-batch';

const never = new AbortController().signal;
const relation = (id: string) => RELATIONS.find((it) => it.id === id)!;

async function start() {
  const northbound = await recordedNorthbound('clean');
  const schema = await northbound.schema(never);
  const read = () => new LiveRows(selectBatch(northbound, never), schema, rowReferences(schema));
  const related = async (id: string, key: string) =>
    (await relatedRows(relation(id), key, read(), createBulkCache())).map((it) => it.uid);
  return { northbound, schema, read, related };
}

/**
 * All that can name the port `p`, the router port `r` and others, by column; but for mirrors to
 * ports and their rules, which the recorded schema does not have yet.
 */
const NAMING: readonly [table: string, row: Record<string, Json>, key: string][] = [
  ['Logical_Switch_Port', { name: 'x1', parent_name: 'p' }, 'lsp:p'],
  ['Logical_Switch_Port', { name: 'x2', peer: 'p' }, 'lsp:p'],
  [
    'Logical_Switch_Port',
    { name: 'x3', type: 'router', options: operation.map([['router-port', 'r']]) },
    'lrp:r',
  ],
  [
    'Logical_Switch_Port',
    { name: 'x4', type: 'virtual', options: operation.map([['virtual-parents', 'a, p ,b']]) },
    'lsp:p',
  ],
  [
    'Logical_Switch_Port',
    {
      name: 'x5',
      type: 'router',
      options: operation.map([
        ['nat-addresses', '00:00:00:00:00:01 10.0.0.1 is_chassis_resident("cr-r")'],
      ]),
    },
    'lrp:r',
  ],
  ['Logical_Router_Port', { name: 'x6', mac: '00:00:00:00:00:01', peer: 'r' }, 'lrp:r'],
  [
    'Logical_Router_Static_Route',
    { ip_prefix: '0.0.0.0/0', nexthop: '10.0.0.1', output_port: 'r' },
    'lrp:r',
  ],
  ['Logical_Router_Policy', { priority: 1, action: 'allow', match: 'inport == "r"' }, 'lrp:r'],
  [
    'NAT',
    { type: 'dnat_and_snat', external_ip: '1.1.1.1', logical_ip: '2.2.2.2', logical_port: 'p' },
    'lsp:p',
  ],
  [
    'NAT',
    { type: 'snat', external_ip: '1.1.1.2', logical_ip: '2.2.2.3', match: 'ip4.src == $g_ip4' },
    'pg:g',
  ],
  [
    'ACL',
    { action: 'drop', direction: 'to-lport', priority: 1, match: 'outport == @g && ip4.src == $s' },
    'pg:g',
  ],
  [
    'ACL',
    { action: 'drop', direction: 'to-lport', priority: 1, match: 'outport == @g && ip4.src == $s' },
    'as:s',
  ],
  [
    'ACL',
    { action: 'drop', direction: 'to-lport', priority: 1, match: '1', meter: 'm' },
    'meter:m',
  ],
  [
    'QoS',
    {
      direction: 'to-lport',
      priority: 1,
      match: 'outport == "p"',
      bandwidth: operation.map([['rate', 1]]),
    },
    'lsp:p',
  ],
  [
    'Load_Balancer',
    { name: 'x7', ip_port_mappings: operation.map([['10.0.0.9', 'p:10.0.0.1']]) },
    'lsp:p',
  ],
  [
    'Forwarding_Group',
    {
      name: 'x8',
      vip: '10.0.0.1',
      vmac: '00:00:00:00:00:01',
      child_port: operation.set(['p', 'q']),
    },
    'lsp:p',
  ],
  ['Copp', { name: 'x9', meters: operation.map([['arp', 'm']]) }, 'meter:m'],
  ['BFD', { logical_port: 'r', dst_ip: '10.0.0.1' }, 'lrp:r'],
  ['Static_MAC_Binding', { logical_port: 'r', ip: '10.0.0.1', mac: '00:00:00:00:00:01' }, 'lrp:r'],
];

/** Where rows that do not stand by themselves are held; they are gone at the commit otherwise. */
function holderOf(
  schema: DatabaseSchema,
  table: string,
): { table: string; column: string } | undefined {
  if (schema.tables.get(table)!.isRoot) return undefined;
  const [first] = rowReferences(schema)
    .holdersOf(table)
    .filter((it) => it.column.kind === 'set' && schema.tables.get(it.table)!.isRoot);
  return first && { table: first.table, column: first.column.name };
}

test.each(NAMING.map((it) => [`${it[0]} ${Object.keys(it[1]).at(-1)} → ${it[2]}`, ...it] as const))(
  'finds by name: %s',
  async (_, table, row, key) => {
    const { northbound, schema, related } = await start();
    expect(await related('referrers-by-name', key)).toEqual([]);
    const holder = holderOf(schema, table);
    const [any] = holder ? northbound.database.rows(holder.table).keys() : [];
    const into = holder
      ? [
          operation.mutate(holder.table, operation.byUuid(any!), [
            [holder.column, 'insert', operation.named('it')],
          ]),
        ]
      : [];
    const result = northbound.database.transact([operation.insertNamed(table, row, 'it'), ...into]);
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    const [made] = result.results;
    expect(await related('referrers-by-name', key)).toEqual([
      made!.kind === 'inserted' ? made!.uuid : '',
    ]);
    expect(await related('referrers-by-name', `${key}x`)).toEqual([]);
  },
);

test('in a table nobody knows any text may be a reference, by uid or by name', async () => {
  const { schema: known } = await start();
  const json = known.json as { tables: object };
  const schema = parseSchema({
    ...json,
    tables: {
      ...json.tables,
      Later_Thing: {
        isRoot: true,
        columns: {
          about: { type: 'string' },
          more: { type: { key: 'string', min: 0, max: 'unlimited' } },
        },
      },
    },
  });
  const northbound = memoryNorthbound({ schema });
  const uid = '01234567-89ab-4cde-8f01-23456789abcd';
  const result = northbound.database.transact([
    operation.insertNamed('Later_Thing', { about: 'p', more: operation.set(['q', uid]) }, 'it'),
  ]);
  const made = result.results[0] as { uuid: string };
  const related = async (id: string, key: string) =>
    (
      await relatedRows(
        relation(id),
        key,
        new LiveRows(selectBatch(northbound, never), schema, rowReferences(schema)),
        createBulkCache(),
      )
    ).map((it) => it.uid);
  expect(await related('referrers-by-name', 'lsp:p')).toEqual([made.uuid]);
  expect(await related('referrers-by-name', 'pg:q')).toEqual([made.uuid]);
  expect(await related('referrers-by-uid', uid)).toEqual([made.uuid]);
  expect(await related('referrers-by-name', 'lsp:r')).toEqual([]);
});

test('every table in which judgement reads names is searched', () => {
  const texts = {
    match: '"n" @n $n',
    meter: 'n',
    parent_name: 'n',
    peer: 'n',
    output_port: 'n',
    logical_port: 'n',
    child_port: ['n'],
    sink: 'n',
    type: 'lport',
    meters: { a: 'n' },
    ip_port_mappings: { a: 'n:1' },
    options: { 'router-port': 'n' },
  };
  const tables = [...KNOWN_COLUMNS.keys(), ...PROTECTED_TABLES.keys()];
  const naming = tables.filter(
    (kind) => textReferences({ kind, uid: 'u', name: '', object: texts }).length > 0,
  );
  const observed = new Set([
    ...SCANNED.map((it) => it.table),
    ...['lsp', 'lrp', 'meter'].flatMap((sort) => exactReferences(sort, 'n').map((it) => it.table)),
  ]);
  expect([...observed].sort()).toEqual(naming.sort());
});

test('of more parts than are read for one proof nothing is said', async () => {
  const { northbound, related } = await start();
  const [group] = northbound.database.rows('Port_Group').keys();
  const many = Array.from({ length: 5001 }, (_, i) =>
    operation.insertNamed(
      'ACL',
      {
        action: 'drop',
        direction: 'to-lport',
        priority: 1,
        match: `ip4.src == 10.0.${i >> 8}.${i & 255}`,
      },
      `acl${i}`,
    ),
  );
  const result = northbound.database.transact([
    ...many,
    operation.mutate('Port_Group', operation.byUuid(group!), [
      ['acls', 'insert', operation.set(many.map((_, i) => operation.named(`acl${i}`)))],
    ]),
  ]);
  expect(result.ok).toBe(true);
  await expect(related('acls-by-holder', group!)).rejects.toMatchObject({
    message: expect.stringContaining('more than are read for one proof'),
  });
});

test('rows by name; a table without names is an error, not an absence', async () => {
  const { read } = await start();
  expect((await rowsNamed('Logical_Router', 'ovn-cluster', read())).map((it) => it.name)).toEqual([
    'ovn-cluster',
  ]);
  expect(await rowsNamed('Logical_Router', 'nobody', read())).toEqual([]);
  await expect(rowsNamed('NAT', 'x', read())).rejects.toThrow('NAT');
  await expect(rowsNamed('Logical_Router', '', read())).rejects.toThrow('Logical_Router');
});
