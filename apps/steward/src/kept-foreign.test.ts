import { VENDOR } from '@ovn-steward/judgement/testing/builders';
import type { Mutation } from './testing/mutate';
import { doomedIn, foundIn, ownPort } from './testing/scenario';
import type { Change, Scenario } from './testing/scenario';

const U = '0c1e6b64-00df-497e-b01f-d369e2d5d5e9';
const U_ = U.replaceAll('-', '_');

/**
 * Each by every writer we know, keyless as they often are, and once with Kube-OVN's tag copied onto
 * it.
 */
function neighbours({ nb }: Mutation, tag: object): void {
  const port = (name: string, ids: object, columns: object = {}) =>
    nb.insert('Logical_Switch_Port', { name, external_ids: { ...ids, ...tag }, ...columns });
  const table = (kind: string, name: string, ids: object = {}, columns: object = {}) =>
    nb.insert(kind, { ...(name ? { name } : {}), external_ids: { ...ids, ...tag }, ...columns });
  const acl = (match: string, ids: object = {}) =>
    nb.insert('ACL', {
      priority: 1001,
      direction: 'to-lport',
      match,
      action: 'drop',
      external_ids: { ...ids, ...tag },
    });
  // Neutron, old and new, and its BGP service.
  table(
    'Logical_Switch',
    `neutron-${U}`,
    { 'neutron:network_name': 'n' },
    {
      ports: [
        port(U, { 'neutron:port_name': 'p', 'neutron:device_owner': 'compute:nova' }),
        port(`provnet-${U}`, {}, { type: 'localnet' }),
        port('meta', { 'neutron:device_owner': 'network:distributed' }, { type: 'localport' }),
      ],
    },
  );
  table('Port_Group', 'neutron_pg_drop', {}, { acls: [acl('outport == @neutron_pg_drop && ip')] });
  table('Port_Group', 'pvlan_pg_drop');
  table('Port_Group', `pg_${U_}`, { 'neutron:security_group_id': U });
  table('Address_Set', `as_ip4_${U_}`, { 'neutron:security_group_name': 'x' });
  table('Address_Set', `ag_${U_}_ip4`);
  table('Logical_Switch', 'bgp-ls-c1-net');
  table('Logical_Router', 'bgp-lr-main');
  table(
    'Load_Balancer',
    `pf-floatingip-${U}-tcp`,
    { 'neutron:device_owner': 'port_forwarding_plugin' },
    { protocol: ['tcp'] },
  );
  // Octavia, OVN-Kubernetes, Incus and LXD, oVirt, MicroOVN, OVN-IC.
  table(
    'Load_Balancer',
    U,
    { ls_refs: '{}', enabled: 'True' },
    { vips: { '10.0.0.5:80': '10.0.0.6:80' } },
  );
  table('Load_Balancer', 'Service_default/web_TCP_cluster', { 'k8s.ovn.org/kind': 'Service' });
  table('Logical_Router', 'ovn_cluster_router', { 'k8s-cluster-router': 'yes' });
  table(
    'Logical_Switch',
    'node1',
    {},
    {
      ports: [port('default_web-0', { namespace: 'default', pod: 'true' }), port('k8s-node1', {})],
    },
  );
  table('Port_Group', 'a9988776655443322110', { 'k8s.ovn.org/owner-type': 'NetworkPolicy' });
  for (const who of ['incus', 'lxd']) {
    table(
      'Logical_Switch',
      `${who}-net2-ls-int`,
      {},
      { ports: [port(`${who}-net2-instance-${U}-eth0`, { [`${who}_switch`]: 's' })] },
    );
    table('Port_Group', `${who}_acl3_ingress`);
    table('Address_Set', `${who}_net2_routes_ip4`);
    table('Load_Balancer', `${who}-net2-lb-10.0.0.1-tcp`);
  }
  table('Logical_Switch', 'ovirt-x', { ovirt_network_name: 'x' });
  table('Port_Group', 'DropAll');
  table('Logical_Router', 'lr-host-microovn', { 'microovn-bgp-managed': 'true' });
  nb.insert('Logical_Switch', {
    name: 'ts1',
    other_config: { 'interconn-ts': 'ts1' },
    external_ids: { ...tag },
    ports: [port('ts1-az2', {}, { type: 'remote' })],
  });
  table('Address_Set', 'learnt', { 'ic-learnt': 'true' });
  // By hand.
  table('Port_Group', 'manual_pg');
  table('Port_Group', 'web_sg', { sg: 'web' });
  table('Port_Group', 'fw_dmz', { type: 'firewall' });
  table('Port_Group', 'backup.np', { np: 'backup/np', team: 'a' });
  table('Address_Set', 'web_sg_v4', { sg: 'web' });
  table('Address_Set', 'legacy_as', { np: 'shop/gone/ingress' });
  table('Logical_Switch', 'ovn-external', {}, { ports: [port('operator-uplink', {})] });
  table(
    'Load_Balancer',
    'vpc-legacy-tcp-load',
    {},
    { protocol: ['tcp'], vips: { '10.1.1.1:80': '' } },
  );
  table(
    'Meter',
    'acl_log_meter',
    {},
    { unit: 'pktps', bands: [nb.insert('Meter_Band', { action: 'drop', rate: 1 })] },
  );
}

const gonePort = (it: Mutation, columns: object, more: object = {}): string =>
  ownPort(it, 'gone.shop', 'apps', 'shop/gone', { columns: { ...columns }, ...more });
const goneGroup = ({ nb }: Mutation, columns: object = {}): string =>
  nb.insert('Port_Group', {
    name: 'gone.shop',
    external_ids: { ...VENDOR, np: 'shop/gone' },
    ...columns,
  });
const goneSet = ({ nb }: Mutation): string =>
  nb.insert('Address_Set', {
    name: 'gone.shop.ingress.allow.IPv4.0',
    external_ids: { ...VENDOR, np: 'shop/gone/ingress' },
  });
const foreignAcl = ({ nb }: Mutation, match: string): string =>
  nb.insert('ACL', {
    priority: 1002,
    direction: 'to-lport',
    match,
    action: 'allow',
    external_ids: { 'neutron:security_group_rule_id': U },
  });
const foreignGroup = ({ nb }: Mutation, columns: object): string =>
  nb.insert('Port_Group', {
    name: `pg_${U_}`,
    external_ids: { 'neutron:security_group_id': U },
    ...columns,
  });
/** Adds a column or a table to the schema, as a later version would. */
const newer = ({ nb }: Mutation, table: string, column: string, type: unknown): void => {
  (nb.schema.tables[table] ??= { columns: {}, isRoot: true } as never).columns[column] = {
    type,
  } as never;
};

/**
 * Ours, with an owner that is gone, in the hands of somebody else; and somebody else's that
 * resemble ours.
 */
const KEPT: readonly Scenario[] = [
  ['every neighbour we know', (it) => neighbours(it, {})],
  ['every neighbour we know, with our tag copied onto it', (it) => neighbours(it, VENDOR)],
  [
    "a port of ours with a key of Neutron's",
    (recording) => {
      gonePort(recording, {}, { external_ids: { 'neutron:port_name': 'x' } });
    },
  ],
  [
    "a port of ours with a key of a stranger's",
    (recording) => {
      gonePort(recording, {}, { external_ids: { 'example.org/owner': 'x' } });
    },
  ],
  [
    'a port of ours with a hostile key',
    (recording) => {
      gonePort(
        recording,
        {},
        { external_ids: JSON.parse('{"__proto__":"x","constructor":"y"}') as object },
      );
    },
  ],
  [
    "a port of ours on a switch of Neutron's",
    (recording) => {
      const uuid = recording.nb.insert('Logical_Switch', {
        name: `neutron-${U}`,
        external_ids: { 'neutron:network_name': 'n' },
      });
      recording.nb.insert(
        'Logical_Switch_Port',
        { name: 'gone.shop', external_ids: { ...VENDOR, ls: `neutron-${U}`, pod: 'shop/gone' } },
        { row: recording.nb.row('Logical_Switch', uuid), column: 'ports' },
      );
    },
  ],
  [
    'a port of ours on two switches',
    (recording) => {
      const uuid = gonePort(recording, {});
      const by = recording.nb.row('Logical_Switch', 'data');
      by['ports'] = [...(by['ports'] as string[]), uuid];
    },
  ],
  [
    'a port of ours on another switch than it says',
    (recording) => {
      recording.nb.insert(
        'Logical_Switch_Port',
        { name: 'gone.shop', external_ids: { ...VENDOR, ls: 'data', pod: 'shop/gone' } },
        { row: recording.nb.row('Logical_Switch', 'apps'), column: 'ports' },
      );
    },
  ],
  [
    'a port of ours whose key does not say its name',
    (recording) => {
      ownPort(recording, 'gone.shop', 'apps', 'shop/another');
    },
  ],
  [
    "a port of ours that Neutron's group lists",
    (recording) => {
      foreignGroup(recording, { ports: [gonePort(recording, {})] });
    },
  ],
  [
    "a port of ours that Neutron's rule names",
    (recording) => {
      gonePort(recording, {});
      foreignGroup(recording, { acls: [foreignAcl(recording, 'inport == "gone.shop" && ip4')] });
    },
  ],
  [
    "a port of ours that a NAT of a stranger's uses",
    (recording) => {
      gonePort(recording, {});
      recording.nb.insert(
        'NAT',
        {
          type: 'dnat_and_snat',
          external_ip: '192.0.2.1',
          logical_ip: '10.0.0.1',
          logical_port: ['gone.shop'],
        },
        { row: recording.nb.row('Logical_Router', 'ovn-cluster'), column: 'nat' },
      );
    },
  ],
  [
    'a port of ours that is the parent of another',
    (recording) => {
      gonePort(recording, {});
      recording.nb.insert(
        'Logical_Switch_Port',
        { name: 'child', parent_name: ['gone.shop'] },
        { row: recording.nb.row('Logical_Switch', 'apps'), column: 'ports' },
      );
    },
  ],
  [
    "a group of ours with a port of Neutron's",
    (recording) => {
      const port = recording.nb.insert(
        'Logical_Switch_Port',
        { name: U, external_ids: { 'neutron:port_name': 'p' } },
        { row: recording.nb.row('Logical_Switch', 'apps'), column: 'ports' },
      );
      goneGroup(recording, { ports: [port] });
    },
  ],
  [
    "a group of ours with a rule of Neutron's",
    (recording) => {
      goneGroup(recording, { acls: [foreignAcl(recording, 'ip4')] });
    },
  ],
  [
    "a group of ours that a rule of Neutron's names",
    (recording) => {
      goneGroup(recording);
      foreignGroup(recording, { acls: [foreignAcl(recording, 'outport == @gone.shop && ip4')] });
    },
  ],
  [
    "a group of ours whose addresses a rule of Neutron's names",
    (recording) => {
      goneGroup(recording);
      foreignGroup(recording, {
        acls: [foreignAcl(recording, 'ip4.src == {$other, $gone.shop_ip4}')],
      });
    },
  ],
  [
    "a set of ours that a rule of Neutron's names",
    (recording) => {
      goneSet(recording);
      foreignGroup(recording, {
        acls: [foreignAcl(recording, 'ip4.src==$gone.shop.ingress.allow.IPv4.0&&tcp')],
      });
    },
  ],
  [
    'a set of ours that a quality-of-service rule names',
    (recording) => {
      goneSet(recording);
      recording.nb.insert(
        'QoS',
        {
          priority: 1,
          direction: 'to-lport',
          match: 'ip4.src == $gone.shop.ingress.allow.IPv4.0',
          action: { dscp: 1 },
        },
        { row: recording.nb.row('Logical_Switch', 'apps'), column: 'qos_rules' },
      );
    },
  ],
  [
    'a set of ours that limits a NAT',
    (recording) => {
      const set = goneSet(recording);
      recording.nb.insert(
        'NAT',
        {
          type: 'snat',
          external_ip: '192.0.2.1',
          logical_ip: '10.0.0.0/24',
          allowed_ext_ips: [set],
        },
        { row: recording.nb.row('Logical_Router', 'ovn-cluster'), column: 'nat' },
      );
    },
  ],
  [
    "a load balancer of ours on a router of Neutron's",
    (recording) => {
      recording.remove('OvnDnatRule', 'odnat-b3');
      recording.nb.insert('Logical_Router', {
        name: `neutron-${U}`,
        external_ids: { 'neutron:router_name': 'r' },
        load_balancer: [recording.nb.row('Load_Balancer', 'odnat-b3')._uuid],
      });
    },
  ],
  [
    "a load balancer of ours that has a key of Octavia's",
    (recording) => {
      recording.remove('OvnDnatRule', 'odnat-b3');
      (recording.nb.row('Load_Balancer', 'odnat-b3')['external_ids'] as Record<string, string>)[
        `listener_${U}`
      ] = '80:pool';
    },
  ],
  [
    'a port of ours in a column of a later version',
    (recording) => {
      newer(recording, 'Logical_Switch_Port', 'shadow', { key: 'string', min: 0, max: 1 });
      gonePort(recording, { shadow: ['x'] });
    },
  ],
  [
    'a port of ours that a table of a later version names',
    (recording) => {
      newer(recording, 'Tap', 'target', 'string');
      gonePort(recording, {});
      recording.nb.insert('Tap', { target: 'gone.shop' });
    },
  ],
  [
    'a port of ours that a table of a later version refers to',
    (recording) => {
      newer(recording, 'Tap', 'target', {
        key: { type: 'uuid', refTable: 'Logical_Switch_Port', refType: 'weak' },
        min: 0,
        max: 1,
      });
      recording.nb.insert('Tap', { target: [gonePort(recording, {})] });
    },
  ],
  [
    "a router port of ours that leads to a switch of Neutron's",
    (recording) => {
      const router = recording.nb.row('Logical_Router', 'tenant-b-vpc');
      recording.nb.insert(
        'Logical_Router_Port',
        {
          name: 'tenant-b-vpc-provider',
          mac: '00:00:00:00:00:01',
          networks: ['192.0.2.1/24'],
          external_ids: { ...VENDOR, lr: 'tenant-b-vpc' },
        },
        { row: router, column: 'ports' },
      );
      const port = recording.nb.insert('Logical_Switch_Port', {
        name: 'provider-tenant-b-vpc',
        type: 'router',
        options: { 'router-port': 'tenant-b-vpc-provider' },
      });
      recording.nb.insert('Logical_Switch', {
        name: `neutron-${U}`,
        external_ids: { 'neutron:network_name': 'n' },
        ports: [port],
      });
    },
  ],
];

test.each(KEPT)('%s: nothing is called garbage or leak', async (_title, change) => {
  expect(await doomedIn('clean', change)).toEqual([]);
});

test('without the stranger each would be found', async () => {
  expect(
    await doomedIn('clean', (recording) => {
      gonePort(recording, {});
      goneGroup(recording);
      goneSet(recording);
    }),
  ).toHaveLength(3);
  expect(
    await doomedIn('clean', (recording) => {
      recording.remove('OvnDnatRule', 'odnat-b3');
    }),
  ).toHaveLength(1);
});

/** Before 1.15 only switches, routers, their ports and policies had the tag. */
const legacy: Change = ({ nb }) => {
  for (const table of [
    'Port_Group',
    'Address_Set',
    'Load_Balancer',
    'ACL',
    'Logical_Router_Static_Route',
  ])
    for (const row of nb.rows(table))
      delete (row['external_ids'] as Record<string, string>)['vendor'];
  nb.rows('NB_Global')[0]!['external_ids'] = {};
};

/** OVN 22.03 and older: fewer tables and columns. */
const older: Change = ({ nb }) => {
  for (const table of [
    'Mirror_Rule',
    'Sample',
    'Sample_Collector',
    'Sampling_App',
    'Chassis_Template_Var',
    'Static_MAC_Binding',
    'Mirror',
    'DHCP_Relay',
    'Network_Function',
  ])
    delete nb.schema.tables[table];
  const gone: Record<string, string[]> = {
    ACL: ['tier', 'sample_new', 'sample_est', 'label', 'options'],
    Logical_Switch_Port: ['mirror_rules'],
    Logical_Router_Policy: ['chain', 'jump_chain', 'bfd_sessions'],
    Logical_Router_Port: ['dhcp_relay', 'status'],
  };
  for (const [table, columns] of Object.entries(gone))
    for (const column of columns) delete nb.schema.tables[table]?.columns[column];
};

test.each([
  ['a database of before 1.15', legacy],
  ['an older schema', older],
] as const)(
  '%s: a healthy one stays healthy, a leaky one shows its ports and addresses',
  async (_title, change) => {
    expect(await doomedIn('clean', change)).toEqual([]);
    const survivors = (it: string) => /^(leaked-ip|orphaned-logical)/.test(it);
    const before = await foundIn('leaky', () => undefined);
    const after = await foundIn('leaky', change);
    expect(after.filter(survivors)).toEqual(before.filter(survivors));
  },
);
