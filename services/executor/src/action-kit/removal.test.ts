import { operation, type Operation } from '@ovn-steward/ovsdb';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { plantOf } from '../testing/planted';
import { GROUND, ground } from '../testing/plants';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { readRemoval } from './removal';

const never = new AbortController().signal;
const { byUuid, insert, map, mutate, set, update, uuid } = operation;
const TARGET = plantOf('delete-acl').target.uid;
const OTHER = '00000000-0000-4000-8000-000000000abc';

let northbound: MemoryNorthbound;
const peer = (...operations: readonly Operation[]): void => {
  const result = northbound.database.transact(operations);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
};
const plant = (action: string): void => peer(...ground, ...plantOf(action).operations);
const read = (table: string, uid = TARGET) => readRemoval(northbound, table, uid, never);
const keys = (...pairs: readonly (readonly [string, string])[]) =>
  map([['vendor', 'kube-ovn'], ...pairs]);
beforeEach(async () => {
  northbound = await recordedNorthbound('shared-neutron');
});

test('a row that holds an integer beyond 2^53 is not removed: no record could put it back', async () => {
  plant('delete-bfd');
  expect(await read('BFD')).toMatchObject({ is: 'removal' });
  peer(update('BFD', byUuid(TARGET), { min_rx: 2n ** 60n }));
  expect(await read('BFD')).toMatchObject({
    is: 'refused',
    code: 'unsupported',
    reason: expect.stringContaining('beyond 2^53'),
  });
});

describe('is never said of', () => {
  it.each(['', 'virtual'])('but of ports of type "%s"', async (type) => {
    plant('delete-logical-switch-port');
    // A virtual port is named after what it serves.
    peer(
      update('Logical_Switch_Port', byUuid(TARGET), {
        type,
        ...(type && {
          name: 'planted-net-vip-10.99.0.10',
          options: map([['virtual-ip', '10.99.0.10']]),
          external_ids: keys(['ls', 'planted-net']),
        }),
      }),
    );
    expect(await read('Logical_Switch_Port')).toMatchObject({ is: 'removal' });
  });

  it.each([
    'router',
    'localnet',
    'remote',
    'external',
    'localport',
    'vtep',
    'l2gateway',
    'somethingnew',
  ])('a port of type %s', async (type) => {
    plant('delete-logical-switch-port');
    peer(update('Logical_Switch_Port', byUuid(TARGET), { type }));
    expect(await read('Logical_Switch_Port')).toMatchObject({ is: 'refused', code: 'protected' });
  });

  it('the end of a router, though its keys and name are as Kube-OVN makes them', async () => {
    plant('delete-logical-switch-port');
    peer(
      update('Logical_Switch_Port', byUuid(TARGET), {
        type: 'router',
        name: 'planted-net-planted-vpc',
        options: map([['router-port', 'planted-vpc-planted-net']]),
        external_ids: keys(['ls', 'planted-net']),
      }),
    );
    expect(await read('Logical_Switch_Port')).toMatchObject({
      code: 'protected',
      reason: expect.stringContaining('of type router'),
    });
  });

  it.each([
    'Gateway_Chassis',
    'HA_Chassis',
    'Meter_Band',
    'NB_Global',
    'DNS',
    'Copp',
    'Connection',
    'SSL',
    'Load_Balancer_Group',
    'Static_MAC_Binding',
    'Mirror',
  ])('any row of %s', async (table) => {
    plant('delete-ha-chassis-group');
    const sorts: Record<string, readonly Operation[]> = {
      DNS: [insert('DNS', {}, OTHER)],
      Copp: [insert('Copp', { name: 'c' }, OTHER)],
      Mirror: [
        insert('Mirror', { name: 'm', filter: 'both', sink: '10.0.0.1', type: 'gre' }, OTHER),
      ],
      Static_MAC_Binding: [
        insert('Static_MAC_Binding', { logical_port: 'x', ip: '10.0.0.1' }, OTHER),
      ],
      Load_Balancer_Group: [insert('Load_Balancer_Group', { name: 'g' }, OTHER)],
      Connection: [
        insert('Connection', { target: 'ptcp:1' }, OTHER),
        mutate('NB_Global', [['name', '==', '']], [['connections', 'insert', uuid(OTHER)]]),
      ],
      SSL: [
        insert('SSL', {}, OTHER),
        mutate('NB_Global', [['name', '==', '']], [['ssl', 'insert', uuid(OTHER)]]),
      ],
      Gateway_Chassis: plantOf('delete-logical-router-port').operations.map((it) =>
        it.op === 'insert' && it.table === 'Gateway_Chassis' ? { ...it, uuid: OTHER } : it,
      ),
    };
    if (table === 'Gateway_Chassis')
      peer(
        insert(table, { name: 'g', chassis_name: 'c', priority: 1 }, OTHER),
        mutate('Logical_Router_Port', byUuid(GROUND.gatewayPort), [
          ['gateway_chassis', 'insert', uuid(OTHER)],
        ]),
      );
    else if (sorts[table]) peer(...sorts[table]);
    const [row] = [...northbound.database.rows(table).keys()];
    const uid = northbound.database.rows(table).has(OTHER) ? OTHER : row!;
    expect(uid).toBeDefined();
    expect(await read(table, uid)).toMatchObject({
      is: 'refused',
      code: 'protected',
      reason: expect.stringContaining(`rows of ${table} are never removed`),
    });
  });

  it.each([
    ['a switch of ovn-ic', 'Logical_Switch', GROUND.switch, 'other_config', 'interconn-ts'],
    ['a router of ovn-ic', 'Logical_Router', GROUND.router, 'options', 'interconn-tr'],
  ])('what %s holds', async (_, table, uid, column, key) => {
    plant(table === 'Logical_Switch' ? 'delete-logical-switch-port' : 'delete-logical-router-port');
    peer(mutate(table, byUuid(uid), [[column, 'insert', map([[key, 'x']])]]));
    expect(
      await read(table === 'Logical_Switch' ? 'Logical_Switch_Port' : 'Logical_Router_Port'),
    ).toMatchObject({ code: 'protected', reason: expect.stringContaining(key) });
  });

  it("a port group that lists somebody else's port, or holds somebody else's ACL", async () => {
    plant('delete-port-group');
    const foreign = insert(
      'Logical_Switch_Port',
      {
        name: 'd2c1a2ba-0a4c-4a5f-8a56-6a5c3a0c0a11',
        external_ids: map([['neutron:device_id', 'x']]),
      },
      OTHER,
    );
    peer(
      foreign,
      mutate('Logical_Switch', byUuid(GROUND.switch), [['ports', 'insert', uuid(OTHER)]]),
      mutate('Port_Group', byUuid(TARGET), [['ports', 'insert', uuid(OTHER)]]),
    );
    expect(await read('Port_Group')).toMatchObject({
      code: 'protected',
      reason: expect.stringContaining('lists Logical_Switch_Port d2c1a2ba'),
    });
    peer(mutate('Port_Group', byUuid(TARGET), [['ports', 'delete', uuid(OTHER)]]));
    expect(await read('Port_Group')).toMatchObject({ is: 'removal' });
    peer(
      insert('ACL', { direction: 'to-lport', priority: 1, match: 'ip', action: 'drop' }, OTHER),
      mutate('Port_Group', byUuid(TARGET), [['acls', 'insert', uuid(OTHER)]]),
    );
    expect(await read('Port_Group')).toMatchObject({
      code: 'protected',
      reason: expect.stringContaining('would go with'),
    });
  });

  it("a port group that shares somebody else's ACL, which would stay", async () => {
    plant('delete-port-group');
    peer(
      insert('ACL', { direction: 'to-lport', priority: 1, match: 'ip', action: 'drop' }, OTHER),
      mutate('Port_Group', byUuid(TARGET), [['acls', 'insert', uuid(OTHER)]]),
      mutate('Port_Group', byUuid(GROUND.group), [['acls', 'insert', uuid(OTHER)]]),
    );
    expect(await read('Port_Group')).toMatchObject({
      code: 'protected',
      reason: expect.stringContaining('shares'),
    });
  });

  it.each([
    [
      'delete-logical-switch-port',
      'Logical_Switch_Port',
      { external_ids: keys(['ls', 'elsewhere'], ['pod', 'planted/web-0']) },
    ],
    ['delete-acl', 'ACL', { external_ids: keys(['parent', 'elsewhere']) }],
    [
      'delete-logical-router-port',
      'Logical_Router_Port',
      { name: 'elsewhere-gone', external_ids: keys(['lr', 'elsewhere']) },
    ],
  ])('what lies elsewhere than its key says: %s', async (action, table, row) => {
    plant(action);
    peer(update(table, byUuid(TARGET), row));
    expect(await read(table)).toMatchObject({
      code: 'protected',
      reason: expect.stringContaining('names elsewhere'),
    });
  });

  it.each([
    ['delete-nat', 'NAT', 'Logical_Router', GROUND.router],
    ['delete-qos', 'QoS', 'Logical_Switch', GROUND.switch],
  ])("an unmarked row, but on what is Kube-OVN's: %s", async (action, table, holder, uid) => {
    plant(action);
    expect(await read(table)).toMatchObject({ is: 'removal' });
    peer(mutate(holder, byUuid(uid), [['external_ids', 'delete', set(['vendor'])]]));
    expect(await read(table)).toMatchObject({
      code: 'protected',
      reason: expect.stringContaining('holds'),
    });
  });

  it("a NAT or QoS with a tag of Kube-OVN's, who puts none there", async () => {
    plant('delete-nat');
    peer(update('NAT', byUuid(TARGET), { external_ids: keys() }));
    expect(await read('NAT')).toMatchObject({ code: 'protected' });
    const made = insert(
      'QoS',
      { priority: 1, direction: 'to-lport', match: 'ip', external_ids: keys() },
      OTHER,
    );
    peer(
      made,
      mutate('Logical_Switch', byUuid(GROUND.switch), [['qos_rules', 'insert', uuid(OTHER)]]),
    );
    expect(await read('QoS', OTHER)).toMatchObject({ code: 'protected' });
  });

  it("a balancer with a free name, but where a router of Kube-OVN's has it", async () => {
    plant('delete-load-balancer');
    peer(update('Load_Balancer', byUuid(TARGET), { name: 'web-dnat' }));
    expect(await read('Load_Balancer')).toMatchObject({ is: 'removal' });
    peer(
      mutate('Logical_Router', byUuid(GROUND.router), [['load_balancer', 'delete', uuid(TARGET)]]),
    );
    expect(await read('Load_Balancer')).toMatchObject({
      code: 'protected',
      reason: expect.stringContaining('do not prove'),
    });
  });

  it("a row tagged as Kube-OVN's whose keys do not agree", async () => {
    plant('delete-address-set');
    peer(update('Address_Set', byUuid(TARGET), { external_ids: keys() }));
    expect(await read('Address_Set')).toMatchObject({ code: 'protected' });
  });
});

describe('a row that others name in a text', () => {
  const policy = (match: string) => [
    insert(
      'Logical_Router_Policy',
      { priority: 29000, match, action: 'drop', external_ids: keys(['subnet', 'x']) },
      OTHER,
    ),
    mutate('Logical_Router', byUuid(GROUND.router), [['policies', 'insert', uuid(OTHER)]]),
  ];
  const acl = (columns: object) => [
    insert(
      'ACL',
      {
        direction: 'to-lport',
        priority: 1,
        match: 'ip',
        action: 'drop',
        external_ids: keys(['parent', 'ovn.sg.living']),
        ...columns,
      },
      OTHER,
    ),
    mutate('Port_Group', byUuid(GROUND.group), [['acls', 'insert', uuid(OTHER)]]),
  ];
  const nat = (columns: object) => [
    insert(
      'NAT',
      { type: 'snat', external_ip: '1.2.3.4', logical_ip: '10.1.0.0/24', ...columns },
      OTHER,
    ),
    mutate('Logical_Router', byUuid(GROUND.router), [['nat', 'insert', uuid(OTHER)]]),
  ];
  const qos = (match: string) => [
    insert('QoS', { priority: 1, direction: 'to-lport', match }, OTHER),
    mutate('Logical_Switch', byUuid(GROUND.switch), [['qos_rules', 'insert', uuid(OTHER)]]),
  ];
  const port = (columns: object) => [
    insert(
      'Logical_Switch_Port',
      {
        name: 'a-1.planted',
        external_ids: keys(['ls', 'planted-net'], ['pod', 'planted/a-1']),
        ...columns,
      },
      OTHER,
    ),
    mutate('Logical_Switch', byUuid(GROUND.switch), [['ports', 'insert', uuid(OTHER)]]),
  ];

  it.each<[string, string, string, readonly Operation[]]>([
    [
      'a group by an ACL of another',
      'delete-port-group',
      'Port_Group',
      acl({ match: 'outport == @ovn.sg.gone' }),
    ],
    [
      'a group by its set of addresses in a policy',
      'delete-port-group',
      'Port_Group',
      policy('ip4.src == $ovn.sg.gone_ip4'),
    ],
    [
      'a group by a NAT',
      'delete-port-group',
      'Port_Group',
      nat({ match: 'inport == @ovn.sg.gone' }),
    ],
    [
      'a set by an ACL',
      'delete-address-set',
      'Address_Set',
      acl({ match: 'ip4.src == {10.0.0.1, $pool.gone}' }),
    ],
    ['a set by a QoS rule', 'delete-address-set', 'Address_Set', qos('ip4.src == $pool.gone')],
    ['a set by a policy', 'delete-address-set', 'Address_Set', policy('ip4.src == $pool.gone')],
    ['a meter by an ACL', 'delete-meter', 'Meter', acl({ meter: 'gone.ns_to-lport_meter' })],
    [
      'a meter by a Copp',
      'delete-meter',
      'Meter',
      [insert('Copp', { name: 'c', meters: map([['arp', 'gone.ns_to-lport_meter']]) }, OTHER)],
    ],
    [
      'a port by its NAT',
      'delete-logical-switch-port',
      'Logical_Switch_Port',
      nat({ logical_port: 'web-0.planted' }),
    ],
    [
      'a port by the port inside it',
      'delete-logical-switch-port',
      'Logical_Switch_Port',
      port({ parent_name: 'web-0.planted', tag: 7 }),
    ],
    [
      "a router port by the switch's side of it",
      'delete-logical-router-port',
      'Logical_Router_Port',
      port({ type: 'router', options: map([['router-port', 'planted-vpc-gone']]) }),
    ],
    [
      'a router port by a route out of it',
      'delete-logical-router-port',
      'Logical_Router_Port',
      [
        insert(
          'Logical_Router_Static_Route',
          {
            ip_prefix: '10.0.0.0/8',
            nexthop: '10.1.0.1',
            output_port: 'planted-vpc-gone',
            external_ids: keys(),
          },
          OTHER,
        ),
        mutate('Logical_Router', byUuid(GROUND.router), [['static_routes', 'insert', uuid(OTHER)]]),
      ],
    ],
    [
      'a router port by its BFD session',
      'delete-logical-router-port',
      'Logical_Router_Port',
      [insert('BFD', { logical_port: 'planted-vpc-gone', dst_ip: '10.1.0.9' }, OTHER)],
    ],
  ])('is kept: %s', async (_, action, table, operations) => {
    plant(action);
    expect(await read(table)).toMatchObject({ is: 'removal' });
    peer(...operations);
    expect(await read(table)).toMatchObject({
      code: 'in-use',
      reason: expect.stringContaining('names it'),
    });
  });

  it('is kept at the last moment where the name stands by itself', async () => {
    plant('delete-logical-switch-port');
    const removal = await read('Logical_Switch_Port');
    if (removal.is !== 'removal') throw new Error(removal.reason);
    peer(...nat({ logical_port: 'web-0.planted' }));
    expect(northbound.database.transact([...removal.guards, removal.write])).toMatchObject({
      ok: false,
      error: { error: 'timed out' },
    });
  });
});

it('refuses when a row that was to stay would go too, its other holder having let go', async () => {
  plant('delete-port-group');
  const removal = await read('Port_Group');
  if (removal.is !== 'removal') throw new Error(removal.reason);
  const [shared] = plantOf('delete-port-group').operations.flatMap((it) =>
    it.op === 'mutate' && it.table === 'Logical_Switch' ? [it.mutations[0]![2]] : [],
  );
  expect(JSON.stringify(removal.undo.rows.map((it) => it.uuid))).not.toContain(
    (shared as string[])[1],
  );
  peer(mutate('Logical_Switch', byUuid(GROUND.switch), [['acls', 'delete', shared!]]));
  expect(northbound.database.transact([...removal.guards, removal.write])).toMatchObject({
    ok: false,
    error: { error: 'timed out' },
  });
  const again = await read('Port_Group');
  expect(again.is === 'removal' && again.undo.rows).toHaveLength(4);
});

it("refuses when a port of a group becomes somebody else's at the last moment", async () => {
  plant('delete-port-group');
  peer(mutate('Port_Group', byUuid(TARGET), [['ports', 'insert', uuid(GROUND.neighbour)]]));
  const removal = await read('Port_Group');
  if (removal.is !== 'removal') throw new Error(removal.reason);
  peer(
    update('Logical_Switch_Port', byUuid(GROUND.neighbour), {
      external_ids: keys(['neutron:port_name', 'x']),
    }),
  );
  expect(northbound.database.transact([...removal.guards, removal.write])).toMatchObject({
    ok: false,
    error: { error: 'timed out' },
  });
});

it('never reads the ports of a switch', async () => {
  plant('delete-logical-switch-port');
  const requested: Operation[] = [];
  const spy = {
    ...northbound,
    read: (operations: readonly Operation[], signal: AbortSignal) => {
      requested.push(...operations);
      return northbound.read(operations, signal);
    },
  };
  const removal = await readRemoval(spy, 'Logical_Switch_Port', TARGET, never);
  const of = requested.flatMap((it) =>
    it.op === 'select' && it.table === 'Logical_Switch' ? [it.columns ?? ['ports']] : [],
  );
  expect(of.length).toBeGreaterThan(0);
  for (const columns of of) expect(columns).not.toContain('ports');
  expect(JSON.stringify(removal)).not.toContain(GROUND.neighbour);
});

it('keeps in its record what was not default, as the server said it', async () => {
  plant('delete-logical-switch-port');
  const removal = await read('Logical_Switch_Port');
  if (removal.is !== 'removal') throw new Error(removal.reason);
  const columns = removal.undo.rows[0]?.columns ?? {};
  expect(Object.keys(columns).sort()).toEqual([
    'addresses',
    'dhcpv4_options',
    'external_ids',
    'name',
    'options',
    'port_security',
    'up',
  ]);
  expect(columns['addresses']).toBe('0a:58:00:00:00:0a 10.99.0.10');
  expect(removal.undo.links).toEqual([
    {
      table: 'Logical_Switch',
      uuid: GROUND.switch,
      name: 'planted-net',
      column: 'ports',
      to: { table: 'Logical_Switch_Port', uuid: TARGET },
      strength: 'strong',
    },
    {
      table: 'Port_Group',
      uuid: GROUND.group,
      name: 'ovn.sg.living',
      column: 'ports',
      to: { table: 'Logical_Switch_Port', uuid: TARGET },
      strength: 'weak',
    },
  ]);
});

it('has a version that distinguishes contents, not the order in which they are sent', async () => {
  plant('delete-address-set');
  const version = async (): Promise<string> => {
    const removal = await read('Address_Set');
    if (removal.is !== 'removal') throw new Error(removal.reason);
    return removal.version;
  };
  const first = await version();
  peer(update('Address_Set', byUuid(TARGET), { addresses: set(['10.99.0.21', '10.99.0.20']) }));
  expect(await version()).toBe(first);
  peer(update('Address_Set', byUuid(TARGET), { addresses: set(['10.99.0.21', '10.99.0.22']) }));
  expect(await version()).not.toBe(first);
});

it('refuses to take a thousand rows with one', async () => {
  plant('delete-port-group');
  const acls = Array.from(
    { length: 1000 },
    (_, nth) => `00000000-0000-4000-9000-${String(nth).padStart(12, '0')}`,
  );
  peer(
    ...acls.map((acl, nth) =>
      insert(
        'ACL',
        {
          direction: 'to-lport',
          priority: nth,
          match: 'ip',
          action: 'drop',
          external_ids: keys(['parent', 'ovn.sg.gone']),
        },
        acl,
      ),
    ),
    mutate('Port_Group', byUuid(TARGET), [['acls', 'insert', set(acls.map(uuid))]]),
  );
  expect(await read('Port_Group')).toMatchObject({ is: 'refused', code: 'too-large' });
});

it('takes no answer that is none for an absence', async () => {
  plant('delete-acl');
  const broken = {
    ...northbound,
    read: async () => ({ is: 'refused' as const, error: 'unknown column', at: 0 }),
  };
  await expect(readRemoval(broken, 'ACL', TARGET, never)).rejects.toMatchObject({
    code: 'source-broken',
  });
  const short = { ...northbound, read: async () => ({ is: 'committed' as const, results: [] }) };
  await expect(readRemoval(short, 'ACL', TARGET, never)).rejects.toMatchObject({
    code: 'source-broken',
  });
});
