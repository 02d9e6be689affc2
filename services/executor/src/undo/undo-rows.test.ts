import { operation, type Operation } from '@ovn-steward/ovsdb';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { plantOf } from '../testing/planted';
import { GROUND } from '../testing/plants';
import { UndoBed } from '../testing/undo-bed';

const { byUuid, insert, map, mutate, remove, set, update, uuid } = operation;
const TARGET = plantOf('delete-acl').target.uid;
const OTHER = '00000000-0000-4000-8000-000000000abc';
const DHCP = '00000000-0000-4000-8000-000000000110';

let bed: UndoBed;
beforeEach(async () => {
  bed = await UndoBed.open();
});

async function write(undo: Undo): Promise<readonly string[]> {
  const plan = await bed.plan(undo);
  if (plan.is !== 'ready' || plan.effect.on !== 'ovn-nb') throw new Error(JSON.stringify(plan));
  expect(await bed.write(plan.effect.operations)).toBe('committed');
  return plan.losses;
}

/** A port of the plant's switch. */
const port = (name: string, columns: object): readonly Operation[] => [
  insert('Logical_Switch_Port', { name, ...columns }, OTHER),
  mutate('Logical_Switch', byUuid(GROUND.switch), [['ports', 'insert', uuid(OTHER)]]),
];

describe('a switch port is not put back where its address is used by', () => {
  it.each([
    ['another port of the switch', { addresses: '0a:58:00:00:00:99 10.99.0.10' }],
    [
      'another port, in another spelling of the MAC',
      { addresses: set(['unknown', '0A:58:00:00:00:0A 10.99.0.11']) },
    ],
    [
      'a port to which northd gave it',
      { addresses: 'dynamic', dynamic_addresses: '0a:58:00:00:00:99 10.99.0.10' },
    ],
  ])('%s', async (_, columns) => {
    const undo = await bed.removed('delete-logical-switch-port');
    bed.peer(...port('taker', columns));
    expect(await bed.plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('is used by port taker of switch planted-net now'),
    });
  });

  it('perhaps, by a port whose address cannot be read', async () => {
    const undo = await bed.removed('delete-logical-switch-port');
    bed.peer(...port('taker', { addresses: '0a:58:00:00:00:99 10.99.0.10x' }));
    expect(await bed.plan(undo)).toMatchObject({
      is: 'impossible',
      reason:
        'an address that cannot be read ("0a:58:00:00:00:99 10.99.0.10x") is used by port taker of switch planted-net now',
    });
  });

  it('an IP of another name', async () => {
    const undo = await bed.removed('delete-logical-switch-port');
    bed.kubernetes.put({
      apiVersion: 'kubeovn.io/v1',
      kind: 'IP',
      metadata: { name: 'other-0.planted' },
      spec: {
        subnet: 'planted-net',
        v4IpAddress: '10.99.0.10',
        ipAddress: '10.99.0.10',
        podName: 'other-0',
        namespace: 'planted',
      },
    });
    expect(await bed.plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('belongs to IP other-0.planted now'),
    });
  });

  it('but by itself under its own name, in another subnet, or on another switch', async () => {
    const undo = await bed.removed('delete-logical-switch-port');
    bed.kubernetes.put({
      apiVersion: 'kubeovn.io/v1',
      kind: 'IP',
      metadata: { name: 'web-0.planted' },
      spec: { subnet: 'planted-net', v4IpAddress: '10.99.0.10', ipAddress: '10.99.0.10' },
    });
    bed.kubernetes.put({
      apiVersion: 'kubeovn.io/v1',
      kind: 'IP',
      metadata: { name: 'far-0.planted' },
      spec: { subnet: 'elsewhere', v4IpAddress: '10.99.0.10', ipAddress: '10.99.0.10' },
    });
    bed.peer(
      insert('Logical_Switch', { name: 'elsewhere', ports: uuid(OTHER) }),
      insert(
        'Logical_Switch_Port',
        { name: 'far', addresses: '0a:58:00:00:00:0a 10.99.0.10' },
        OTHER,
      ),
    );
    expect(await bed.plan(undo)).toMatchObject({ is: 'ready' });
  });

  it('whom we cannot ask about', async () => {
    const undo = await bed.removed('delete-logical-switch-port');
    bed.kubernetes.forbidden.add('list IP');
    await expect(bed.plan(undo)).rejects.toMatchObject({ code: 'source-forbidden' });
  });

  it("and is where Kube-OVN's kinds are not installed", async () => {
    const undo = await bed.removed('delete-logical-switch-port');
    for (const kind of ['IP', 'Vip', 'IptablesEIP', 'OvnEip'])
      bed.kubernetes.notInstalled.add(kind);
    expect(await bed.plan(undo)).toMatchObject({ is: 'ready' });
  });
});

describe('what the row referred to', () => {
  it('and could forget is a loss, and is reported', async () => {
    const undo = await bed.removed('delete-logical-switch-port');
    bed.peer(remove('DHCP_Options', byUuid(DHCP)));
    expect(await write(undo)).toContainEqual(
      expect.stringMatching(new RegExp(`^DHCP_Options ${DHCP}, to which .* referred .*, is gone$`)),
    );
    expect(bed.northbound.database.rows('Logical_Switch_Port').get(TARGET)).toMatchObject({
      dhcpv4_options: ['set', []],
    });
  });

  it('and held must be there', async () => {
    const group = insert(
      'HA_Chassis_Group',
      {
        name: 'bfd@x',
        external_ids: map([
          ['vendor', 'kube-ovn'],
          ['lrp', 'bfd@x'],
        ]),
      },
      OTHER,
    );
    const undo = await bed.removed('delete-logical-router-port', [
      group,
      mutate('Logical_Router_Port', byUuid(TARGET), [['ha_chassis_group', 'insert', uuid(OTHER)]]),
    ]);
    expect(await bed.plan(undo)).toMatchObject({ is: 'ready' });
    bed.peer(remove('HA_Chassis_Group', byUuid(OTHER)));
    expect(await bed.plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining(`HA_Chassis_Group ${OTHER}`),
    });
  });

  it('of what went with it, is there where another row held it too', async () => {
    const undo = await bed.removed('delete-port-group');
    const shared = '00000000-0000-4000-8000-000000000117';
    expect(undo.of === 'rows' && undo.rows.map((it) => it.uuid)).not.toContain(shared);
    bed.peer(mutate('Logical_Switch', byUuid(GROUND.switch), [['acls', 'delete', uuid(shared)]]));
    expect(await bed.plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining(shared),
    });
  });
});

describe('who referred to the row', () => {
  it('and has another by now keeps that', async () => {
    const undo = await bed.removed('delete-dhcp-options');
    bed.peer(
      insert('DHCP_Options', { cidr: '10.95.0.0/24' }, OTHER),
      update('Logical_Switch_Port', byUuid(GROUND.neighbour), { dhcpv4_options: uuid(OTHER) }),
    );
    expect(await write(undo)).toContainEqual(expect.stringContaining('has another by now'));
    expect(bed.northbound.database.rows('Logical_Switch_Port').get(GROUND.neighbour)).toMatchObject(
      {
        dhcpv4_options: ['uuid', OTHER],
      },
    );
  });

  it('and gets another at the last moment makes the write a refusal', async () => {
    const undo = await bed.removed('delete-dhcp-options');
    const operations = await bed.planned(undo);
    bed.peer(
      insert('DHCP_Options', { cidr: '10.95.0.0/24' }, OTHER),
      update('Logical_Switch_Port', byUuid(GROUND.neighbour), { dhcpv4_options: uuid(OTHER) }),
    );
    expect(await bed.write(operations)).toBe('timed out');
  });

  it('under another name than then is not made to refer to it again', async () => {
    const undo = await bed.removed('delete-logical-switch-port');
    bed.peer(update('Port_Group', byUuid(GROUND.group), { name: 'renamed' }));
    expect(await write(undo)).toContainEqual(expect.stringContaining('is called renamed now'));
    expect(bed.northbound.database.rows('Port_Group').get(GROUND.group)).toMatchObject({
      ports: ['uuid', GROUND.neighbour],
    });
  });
});

describe('a row that is there already with its uuid', () => {
  it('is back, whatever northd wrote since and whoever was forgotten', async () => {
    const undo = await bed.removed('delete-logical-switch-port');
    await write(undo);
    bed.peer(
      update('Logical_Switch_Port', byUuid(TARGET), { up: false, dhcpv4_options: set([]) }),
      mutate('Port_Group', byUuid(GROUND.group), [['ports', 'delete', uuid(TARGET)]]),
    );
    expect(await bed.plan(undo)).toMatchObject({ is: 'back' });
  });

  it('is another when it says something else', async () => {
    const undo = await bed.removed('delete-logical-switch-port');
    await write(undo);
    bed.peer(
      update('Logical_Switch_Port', byUuid(TARGET), { addresses: '0a:58:00:00:00:0a 10.99.0.99' }),
    );
    expect(await bed.plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('says something else'),
    });
  });

  it('is not back without what went with it', async () => {
    const undo = await bed.removed('delete-logical-router-port');
    await write(undo);
    bed.peer(update('Logical_Router_Port', byUuid(TARGET), { gateway_chassis: set([]) }));
    expect(await bed.plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('Gateway_Chassis'),
    });
  });
});

it('refuses a record of another schema, and names what is missing', async () => {
  const undo = await bed.removed('delete-acl');
  if (undo.of !== 'rows') throw new Error(undo.of);
  const [row] = undo.rows as [(typeof undo.rows)[number]];
  expect(
    await bed.plan({ ...undo, rows: [{ ...row, columns: { ...row.columns, news: 1 } }] }),
  ).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('column news of ACL'),
    passes: true,
  });
  expect(
    await bed.plan({ ...undo, rows: [{ ...row, table: 'Tomorrow', columns: {} }] }),
  ).toMatchObject({ is: 'impossible', reason: expect.stringContaining('table Tomorrow') });
  const [link] = undo.links as [(typeof undo.links)[number]];
  expect(await bed.plan({ ...undo, links: [{ ...link, column: 'news' }] })).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('column news of Port_Group'),
  });
  expect(
    await bed.plan({
      of: 'entry',
      table: 'Load_Balancer',
      uuid: GROUND.balancer,
      name: '',
      column: 'news',
      key: 'a',
      value: 'b',
    }),
  ).toMatchObject({ is: 'impossible' });
  expect(
    await bed.plan({
      of: 'entry',
      table: 'Load_Balancer',
      uuid: GROUND.balancer,
      name: '',
      column: 'vips',
      key: 'a',
      value: null,
    }),
  ).toMatchObject({ is: 'impossible' });
});

it('puts a port into a group again only while the port is there', async () => {
  const undo = await bed.removed('remove-port-group-member');
  const operations = await bed.planned(undo);
  bed.peer(
    mutate('Logical_Switch', byUuid(GROUND.switch), [['ports', 'delete', uuid(GROUND.neighbour)]]),
  );
  expect(await bed.plan(undo)).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('is not there any more'),
  });
  expect(await bed.write(operations)).toBe('timed out');
});

it('is not put back without the row that held it, or when that has another name', async () => {
  const undo = await bed.removed('delete-nat');
  bed.peer(update('Logical_Router', byUuid(GROUND.router), { name: 'renamed' }));
  expect(await bed.plan(undo)).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('is called renamed now'),
  });
  bed.peer(remove('Logical_Router', byUuid(GROUND.router)));
  expect(await bed.plan(undo)).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('is gone'),
  });
});

it('is put back without those who referred to it and went, and says so', async () => {
  const undo = await bed.removed('delete-logical-switch-port');
  bed.peer(remove('Port_Group', byUuid(GROUND.group)));
  expect(await write(undo)).toContainEqual(
    expect.stringMatching(/Port_Group ovn\.sg\.living, which referred to it .* is gone/),
  );
});

it('says what does not come back with it', async () => {
  const undo = await bed.removed('delete-logical-switch-port');
  const ready = await bed.plan(undo);
  expect(ready).toMatchObject({
    is: 'ready',
    losses: expect.arrayContaining([expect.stringContaining('tunnel key')]),
  });
});
