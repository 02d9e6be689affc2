import { ownershipOf, recorded } from './ownership';
import type { PlainRow } from './testing/northbound';
import { northbound, project } from './testing/northbound';
import {
  acl,
  addressSet,
  bfd,
  chassisGroup,
  dhcp,
  keys,
  KUBE_OVN_ROWS,
  loadBalancer,
  logicalSwitch,
  meter,
  nat,
  ours,
  PARTS,
  policy,
  port,
  portGroup,
  route,
  router,
  routerPort,
  rowOf,
} from './testing/plain-rows';

const U = '8f3a1c2e-0b5d-4e6f-9a7b-1c2d3e4f5a6b';
const U_ = U.replaceAll('-', '_');

/** The rows, with some replaced by uid and others added. */
const world = (...changes: readonly PlainRow[]): PlainRow[] => {
  const changed = new Map(changes.map((it) => [it.uid, it]));
  return [...KUBE_OVN_ROWS.filter((it) => !changed.has(it.uid)), ...changes];
};
/** A row of Kube-OVN's with some columns changed. */
const changed = (uid: string, columns: Readonly<Record<string, unknown>>): PlainRow => {
  const row = KUBE_OVN_ROWS.find((it) => it.uid === uid)!;
  return { ...row, columns: { ...row.columns, ...columns } };
};
const holding = (uid: string, column: string, ...more: string[]): PlainRow =>
  changed(uid, {
    [column]: [
      ...((KUBE_OVN_ROWS.find((it) => it.uid === uid)!.columns[column] as string[] | undefined) ??
        []),
      ...more,
    ],
  });

interface Case {
  /** Number in the list of adversarial cases, when it is one of them. */
  readonly case: number | '+';
  readonly title: string;
  readonly rows: readonly PlainRow[];
  /** uid → owner. */
  readonly keeps: Readonly<Record<string, string>>;
  /** Neighbours that stay open to the garbage rules all the same. */
  readonly leaves?: readonly string[];
}

/*
 * Not here, for they are about the stream of events and not about one snapshot:
 *   22 (a row put back under its old uuid)      a generation per uuid is counted by the fold; the executor asks again before it acts
 *   23 (all log columns cleared at once)        no rule reports those columns
 *   24 (thousands gone after a reconnect)       the collector's epoch and the executor's ceiling
 *   25 (deletions after a condition change)     the OVSDB replica does not pass them on
 *   34 (two holders of one lock)                the guard in the executor's transaction
 * 31 is half here: the ports are kept; that their addresses are in use is the address rules' matter.
 */
const CASES: readonly Case[] = [
  {
    case: 1,
    title: 'the keyless default drop of all tenants',
    keeps: { neutron_pg_drop: 'neutron', drop: 'neutron' },
    rows: world(
      portGroup('neutron_pg_drop', { acls: ['drop'], ports: [U] }),
      acl('drop', { match: 'inport == @neutron_pg_drop && ip' }),
      port(U, keys({ 'neutron:port_name': '' })),
    ),
  },
  {
    case: 2,
    title: 'a keyless default drop of a later release',
    keeps: { pvlan_pg_drop: 'neutron', future_pg_drop: 'unknown' },
    rows: world(portGroup('pvlan_pg_drop'), portGroup('future_pg_drop')),
  },
  {
    case: 3,
    title: "an ACL of Kube-OVN's in a security group of Neutron's",
    keeps: { stray: 'neutron', [`pg_${U_}`]: 'neutron' },
    leaves: ['deny-acl'],
    rows: world(
      portGroup(`pg_${U_}`, { ...keys({ 'neutron:security_group_id': U }), acls: ['stray'] }),
      acl('stray', ours({ parent: 'deny.ns1' })),
    ),
  },
  {
    case: 4,
    title: "an ACL of Neutron's in a port group of Kube-OVN's",
    keeps: { rule: 'neutron', 'deny.ns1': 'shared' },
    leaves: ['deny-acl'],
    rows: world(
      holding('deny.ns1', 'acls', 'rule'),
      acl('rule', keys({ 'neutron:security_group_rule_id': U })),
    ),
  },
  {
    case: 5,
    title: 'a group that only has a name like ours',
    keeps: { 'ovn.sg.customer': 'unknown' },
    rows: world(portGroup('ovn.sg.customer')),
  },
  {
    case: 6,
    title: "a port of Kube-OVN's on a switch of Neutron's",
    keeps: { 'job.ns1': 'neutron' },
    leaves: ['web-0.ns1'],
    rows: world(
      logicalSwitch(`neutron-${U}`, {
        ...keys({ 'neutron:network_name': 'n' }),
        ports: ['job.ns1'],
      }),
      port('job.ns1', ours({ ls: `neutron-${U}`, pod: 'ns1/job' })),
    ),
  },
  {
    case: 7,
    title: "a port of Neutron's with our tag copied onto it, on our switch",
    keeps: { [U]: 'neutron', apps: 'shared' },
    leaves: ['web-0.ns1'],
    rows: world(
      holding('apps', 'ports', U),
      port(U, ours({ ls: 'apps', 'neutron:port_name': 'vm', 'neutron:device_id': U })),
    ),
  },
  {
    case: 8,
    title: "a switch with Neutron's name and our tag",
    keeps: { [`neutron-${U}`]: 'neutron' },
    rows: world(logicalSwitch(`neutron-${U}`, ours())),
  },
  {
    case: 9,
    title: "a firewall group under a security group's name",
    keeps: { [`pg_${U_}`]: 'neutron' },
    rows: world(portGroup(`pg_${U_}`, keys({ 'neutron:firewall_group_id': U }))),
  },
  {
    case: 10,
    title: 'a router port lrp-… without a UUID',
    keeps: { 'lrp-node1-eth1': 'unknown' },
    rows: world(holding('vpc1', 'ports', 'lrp-node1-eth1'), routerPort('lrp-node1-eth1')),
  },
  {
    case: 11,
    title: 'a router port lrp<uuid> without a dash',
    keeps: { [`lrp${U}`]: 'ovirt' },
    rows: world(holding('vpc1', 'ports', `lrp${U}`), routerPort(`lrp${U}`)),
  },
  {
    case: 12,
    title: 'pod=true with a namespace',
    keeps: { 'ns1_web-0': 'ovn-k8s' },
    leaves: ['web-0.ns1'],
    rows: world(
      holding('apps', 'ports', 'ns1_web-0'),
      port('ns1_web-0', ours({ ls: 'apps', pod: 'true', namespace: 'ns1' })),
    ),
  },
  {
    case: 13,
    title: "our switch with a friendly name under Neutron's key",
    keeps: { apps: 'shared' },
    rows: world(changed('apps', ours({ 'neutron:network_name': 'shop' }))),
  },
  {
    case: 14,
    title: "a keyless localnet port of Neutron's",
    keeps: { [`provnet-${U}`]: 'neutron' },
    rows: world(
      logicalSwitch(`neutron-${U}`, {
        ...keys({ 'neutron:mtu': '1500' }),
        ports: [`provnet-${U}`],
      }),
      port(`provnet-${U}`, { type: 'localnet' }),
    ),
  },
  {
    case: 15,
    title: "the same SNAT on a router of Neutron's and on ours",
    keeps: { theirs: 'neutron', ours: 'kube-ovn' },
    rows: world(
      router(`neutron-${U}`, { ...keys({ 'neutron:router_name': 'r' }), nat: ['theirs'] }),
      nat('theirs', { type: 'snat', external_ip: '192.0.2.1', logical_ip: '10.0.0.0/24' }),
      holding('vpc1', 'nat', 'ours'),
      nat('ours', { type: 'snat', external_ip: '192.0.2.1', logical_ip: '10.0.0.0/24' }),
    ),
  },
  {
    case: 16,
    title: 'four balancers of one UUID',
    keeps: { a: 'octavia', b: 'octavia', c: 'octavia', d: 'octavia' },
    rows: world(...['a', 'b', 'c', 'd'].map((uid) => ({ ...loadBalancer(U, ours()), uid }))),
  },
  {
    case: 17,
    title: 'a port in a switch of ours and in a foreign one',
    keeps: { 'web-0.ns1': 'unknown' },
    leaves: ['node-worker-1'],
    rows: world(logicalSwitch('theirs', { ports: ['web-0.ns1'] })),
  },
  {
    case: 18,
    title: "Neutron's keyless chassis group",
    keeps: { default_ha_chassis_group: 'neutron', c9: 'neutron' },
    rows: world(
      chassisGroup('default_ha_chassis_group', { ha_chassis: ['c9'] }),
      rowOf('HA_Chassis', 'c9'),
      port(U, {
        ...keys({ 'neutron:port_name': '' }),
        ha_chassis_group: ['default_ha_chassis_group'],
      }),
    ),
  },
  {
    case: 19,
    title: "keyless BFD on a port of Neutron's and on one of ours",
    keeps: { theirs: 'neutron', ours: 'unknown' },
    rows: world(
      bfd('theirs', { logical_port: `lrp-${U}`, dst_ip: '192.0.2.1' }),
      bfd('ours', { logical_port: 'vpc1-external', dst_ip: '192.0.2.1' }),
    ),
  },
  {
    case: 20,
    title: "a set of ours named in an ACL of Neutron's",
    keeps: { 'deny.ns1.ingress.allow.IPv4.all': 'shared' },
    leaves: ['deny.ns1'],
    rows: world(
      portGroup(`pg_${U_}`, { acls: ['rule'] }),
      acl('rule', { match: 'ip4.src == $deny.ns1.ingress.allow.IPv4.all' }),
    ),
  },
  {
    case: 20,
    title: 'a set of ours that a NAT needs',
    keeps: { 'deny.ns1.ingress.allow.IPv4.all': 'unknown' },
    rows: world(
      holding('vpc1', 'nat', 'n'),
      nat('n', { type: 'snat', allowed_ext_ips: ['deny.ns1.ingress.allow.IPv4.all'] }),
    ),
  },
  {
    case: 21,
    title: 'a keyless port of the BGP service',
    keeps: { 'bgp-lsp-a-to-b': 'neutron' },
    rows: world(
      logicalSwitch(`neutron-${U}`, { ports: ['bgp-lsp-a-to-b'] }),
      port('bgp-lsp-a-to-b'),
    ),
  },
  {
    case: 21,
    title: 'a keyless log ACL in a group that looks ours',
    keeps: { log: 'neutron', 'deny.ns1': 'shared' },
    rows: world(holding('deny.ns1', 'acls', 'log'), acl('log', { name: `neutron-${U}` })),
  },
  {
    case: 26,
    title: 'a column of a newer schema',
    keeps: { 'web-0.ns1': 'unknown' },
    leaves: ['node-worker-1'],
    rows: world(changed('web-0.ns1', { tenant: ['x'] })),
  },
  {
    case: 27,
    title: 'a foreign group tagged by the start-up migration for its type key',
    keeps: { fw_dmz: 'unknown', web_sg: 'unknown', web_sg_v4: 'unknown' },
    rows: world(
      portGroup('fw_dmz', ours({ type: 'firewall' })),
      portGroup('web_sg', ours({ sg: 'web' })),
      addressSet('web_sg_v4', ours({ sg: 'web' })),
    ),
  },
  {
    case: 28,
    title: 'the same route twice, ours and one learned by ovn-ic',
    keeps: { learned: 'ovn-ic' },
    leaves: ['route'],
    rows: world(
      holding('vpc1', 'static_routes', 'learned'),
      route('learned', {
        ...keys({ 'ic-learned-route': U }),
        ip_prefix: '10.0.0.0/24',
        nexthop: '10.0.0.1',
      }),
    ),
  },
  {
    case: 29,
    title: 'OVN-Kubernetes on our join switch',
    keeps: { join: 'shared', 'rtoj-GR_n1': 'ovn-k8s' },
    rows: world(
      logicalSwitch('join', { ...ours(), ports: ['rtoj-GR_n1'] }),
      port('rtoj-GR_n1', keys({ 'k8s.ovn.org/network': 'default' })),
    ),
  },
  {
    case: 30,
    title: 'a switch without Subnet that still holds an unknown port',
    keeps: { apps: 'shared', 'bare-metal': 'unknown' },
    leaves: ['web-0.ns1'],
    rows: world(holding('apps', 'ports', 'bare-metal'), port('bare-metal')),
  },
  {
    case: 31,
    title: "unbound ports of Neutron's that only hold an address",
    keeps: { [U]: 'neutron', hm: 'neutron' },
    rows: world(
      logicalSwitch(`neutron-${U}`, { ports: [U, 'hm'] }),
      port(U, { type: 'localport' }),
      port('hm', keys({ 'neutron:device_owner': 'ovn-lb:vip' })),
    ),
  },
  {
    case: 32,
    title: 'a floating address whose port is not there',
    keeps: { fip: 'neutron' },
    rows: world(
      router(`neutron-${U}`, { nat: ['fip'] }),
      nat('fip', { ...keys({ 'neutron:fip_id': U }), logical_port: [U] }),
    ),
  },
  {
    case: 33,
    title: 'a table with no place for a key',
    keeps: { smb: 'unknown', mirrorrule: 'unknown' },
    rows: world(
      rowOf('Static_MAC_Binding', 'smb', { logical_port: 'vpc1-x' }),
      rowOf('Mirror_Rule', 'mirrorrule'),
    ),
  },

  {
    case: '+',
    title: 'a table this version does not know',
    keeps: { x: 'unknown', 'deny.ns1': 'shared' },
    rows: world(rowOf('Firewall', 'x', { group: 'deny.ns1' })),
  },
  {
    case: '+',
    title: "Neutron's port in a group of ours",
    keeps: { 'deny.ns1': 'shared' },
    leaves: ['apps.worker.1'],
    rows: world(
      changed('deny.ns1', { ports: [U] }),
      logicalSwitch(`neutron-${U}`, { ports: [U] }),
      port(U),
    ),
  },
  {
    case: '+',
    title: 'our port in a group made by hand',
    keeps: { 'web-0.ns1': 'shared' },
    leaves: ['node-worker-1'],
    rows: world(portGroup('manual', { ports: ['web-0.ns1'] })),
  },
  {
    case: '+',
    title: 'a group from before the tag: kept, but its members are not its own',
    keeps: { 'old.ns1': 'kube-ovn' },
    leaves: ['web-0.ns1'],
    rows: world(portGroup('old.ns1', { ...keys({ np: 'ns1/old' }), ports: ['web-0.ns1'] })),
  },
  {
    case: '+',
    title: "our router port on a router of Neutron's, and what hangs on it",
    keeps: { 'bfd@vpc1': 'neutron', 'bfd@vpc1 group': 'neutron', chassis: 'neutron' },
    leaves: ['vpc1-apps'],
    rows: world(
      changed('vpc1', { ports: ['vpc1-apps'] }),
      router(`neutron-${U}`, { ports: ['bfd@vpc1'] }),
    ),
  },
  {
    case: '+',
    title: "our balancer on a switch of Neutron's",
    keeps: { 'vpc-vpc1-tcp-load': 'shared', check: 'kube-ovn' },
    rows: world(
      logicalSwitch(`neutron-${U}`, { load_balancer: ['vpc-vpc1-tcp-load'] }),
      changed('check', keys({})),
    ),
  },
  {
    case: '+',
    title: 'a foreign balancer tagged by the start-up migration for its name',
    keeps: { 'vpc-legacy-tcp-load': 'unknown' },
    rows: world(loadBalancer('vpc-legacy-tcp-load', { ...ours(), protocol: ['tcp'] })),
  },
  {
    case: '+',
    title: 'a tagged balancer with a free name on no router',
    keeps: { odnat: 'kube-ovn' },
    leaves: ['dnat'],
    rows: world(loadBalancer('odnat', ours())),
  },
  {
    case: '+',
    title: 'a rule made by hand that names our group, port, router port and meter',
    leaves: ['apps.worker.1'],
    keeps: {
      'deny.ns1': 'shared',
      'web-0.ns1': 'shared',
      'vpc1-apps': 'shared',
      'deny.ns1_to-lport_meter': 'shared',
    },
    rows: world(
      logicalSwitch('manual', { acls: ['by-hand'] }),
      acl('by-hand', {
        match:
          'ip4.src == $deny.ns1_ip4 && inport == "web-0.ns1" && is_chassis_resident("cr-vpc1-apps")',
        meter: ['deny.ns1_to-lport_meter'],
      }),
    ),
  },
  {
    case: '+',
    title: "our ACL inside a group of Neutron's names our set",
    keeps: { 'deny.ns1.ingress.allow.IPv4.all': 'shared' },
    rows: world(
      portGroup(`pg_${U_}`, { acls: ['stray'] }),
      acl('stray', {
        ...ours({ parent: 'deny.ns1' }),
        match: 'ip4.src == $deny.ns1.ingress.allow.IPv4.all',
      }),
    ),
  },
  {
    case: '+',
    title: 'an ACL whose parent key names another holder, or held twice',
    keeps: { 'deny-acl': 'kube-ovn', 'apps-acl': 'kube-ovn' },
    rows: world(
      changed('deny-acl', ours({ parent: 'other.ns1' })),
      holding('apps.worker.1', 'acls', 'apps-acl'),
    ),
  },
  {
    case: '+',
    title: 'a row a person keeps, with what lies in it and what it needs',
    keeps: { apps: 'user', 'web-0.ns1': 'user', dhcp: 'shared', 'vpc-vpc1-tcp-load': 'shared' },
    leaves: ['deny.ns1'],
    rows: world(changed('apps', ours({ 'ovn-steward.dev/protect': 'until Friday' }))),
  },
  {
    case: '+',
    title: 'a gateway policy with a key that names no node',
    keeps: { ecmp: 'kube-ovn', odd: 'unknown' },
    leaves: ['good'],
    rows: world(
      holding('vpc1', 'policies', 'ecmp', 'odd', 'good'),
      policy('good', {
        ...ours({ subnet: 'apps', 'worker-1': '100.64.0.3' }),
        priority: 29000,
        match: 'ip4.src == 10.0.0.0/24',
        nexthops: ['100.64.0.3'],
      }),
      policy('ecmp', {
        ...ours({ subnet: 'apps', 'worker-9': '100.64.0.3' }),
        priority: 29000,
        match: 'ip4.src == 10.0.0.0/24',
        nexthops: ['100.64.0.3'],
      }),
      policy('odd', {
        ...ours({ subnet: 'apps', 'worker-1': '100.64.0.9' }),
        priority: 29000,
        match: 'ip4.src == 10.0.0.0/24',
        nexthops: ['100.64.0.3'],
      }),
    ),
  },
  {
    case: '+',
    title: 'a key called __proto__, a vendor of another name, a tagged NAT',
    keeps: { 'web-0.ns1': 'unknown', 'node-worker-1': 'unknown', tagged: 'unknown' },
    rows: world(
      changed('web-0.ns1', {
        external_ids: JSON.parse(
          '{"vendor":"kube-ovn","ls":"apps","pod":"ns1/web-0","__proto__":"x"}',
        ) as unknown,
      }),
      changed('node-worker-1', keys({ vendor: 'other', ls: 'apps' })),
      holding('vpc1', 'nat', 'tagged'),
      nat('tagged', ours()),
    ),
  },
  {
    case: '+',
    title: "ports with a free name: an OvnEip's, a Vip's",
    keeps: { 'worker-1': 'kube-ovn', 'vip-free': 'kube-ovn' },
    rows: world(
      holding('apps', 'ports', 'worker-1', 'vip-free'),
      port('worker-1', ours({ ls: 'apps' })),
      port('vip-free', {
        ...ours({ ls: 'apps' }),
        type: 'virtual',
        options: { 'virtual-ip': '10.0.0.4' },
      }),
    ),
  },
  {
    case: '+',
    title: 'a meter, a policy and options with other names than their keys say',
    keeps: { 'my-meter': 'unknown', fromspec: 'kube-ovn', v6: 'unknown' },
    rows: world(
      meter('my-meter', ours()),
      holding('vpc1', 'policies', 'fromspec'),
      policy('fromspec', { ...ours(), priority: 100, match: 'ip4' }),
      dhcp('v6', { ...ours({ ls: 'apps', protocol: 'IPv4' }), cidr: 'fd00::/64' }),
    ),
  },
];

/** Node worker-1 is there; of all else that was asked for, nothing is left. */
const presence = (kind: string, key: string) =>
  (kind === 'Node' && key === 'worker-1' ? 'present' : 'absent') as 'present' | 'absent';

const judge = (plain: readonly PlainRow[], uids: readonly string[]) => {
  const rows = project(plain);
  const neighbourhood = northbound(rows, presence);
  return uids.map(
    (uid) =>
      [
        uid,
        ownershipOf(
          rows.find((it) => it.uid === uid)!,
          neighbourhood,
        ),
      ] as const,
  );
};

it("leaves all of Kube-OVN's rows open to the garbage rules when nobody else is there", () => {
  const whole = KUBE_OVN_ROWS.map((it) => it.uid).filter((it) => !PARTS.includes(it));
  expect(judge(KUBE_OVN_ROWS, whole).filter(([, it]) => it.verdict !== 'candidate')).toEqual([]);
  expect(judge(KUBE_OVN_ROWS, PARTS).map(([, it]) => [it.verdict, it.owner])).toEqual(
    PARTS.map(() => ['protect', 'kube-ovn']),
  );
});

it.each(CASES.map((it) => [`${it.case} ${it.title}`, it] as const))(
  'case %s',
  (_, { rows, keeps, leaves = [] }) => {
    const kept = judge(rows, Object.keys(keeps));
    expect(kept.map(([uid, it]) => [uid, it.verdict, it.owner])).toEqual(
      Object.entries(keeps).map(([uid, owner]) => [uid, 'protect', owner]),
    );
    expect(
      kept.every(
        ([, it]) => it.evidence.length > 0 && it.evidence.every((sentence) => sentence !== ''),
      ),
    ).toBe(true);
    expect(judge(rows, leaves).filter(([, it]) => it.verdict !== 'candidate')).toEqual([]);
  },
);

it('has every case of the list but those of the stream', () => {
  const missing = Array.from({ length: 34 }, (_, index) => index + 1).filter(
    (n) => !CASES.some((it) => it.case === n),
  );
  expect(missing).toEqual([22, 23, 24, 25, 34]);
});

it('makes a NAT of ours certain enough to report by a record of it, and no other', () => {
  const { rows } = CASES.find((it) => it.case === 15)!;
  const [[, theirs], [, own]] = judge(rows, ['theirs', 'ours']) as [
    [string, ReturnType<typeof ownershipOf>],
    [string, ReturnType<typeof ownershipOf>],
  ];
  expect(own).toMatchObject({ verdict: 'protect', confidence: 1 });
  expect(recorded(own, 'OvnSnatRule s1')).toMatchObject({
    owner: 'kube-ovn',
    verdict: 'protect',
    confidence: 2,
  });
  expect(recorded(theirs, 'OvnSnatRule s1')).toBeUndefined();
});

it('keeps a switch and a router while their Subnet and Vpc exist, or may exist', () => {
  const rows = project(KUBE_OVN_ROWS);
  for (const answer of ['present', 'unknown'] as const) {
    const neighbourhood = northbound(rows, () => answer);
    for (const uid of ['apps', 'vpc1'])
      expect(
        ownershipOf(
          rows.find((it) => it.uid === uid)!,
          neighbourhood,
        ),
      ).toMatchObject({ owner: 'kube-ovn', verdict: 'protect', confidence: 3 });
  }
});

it('keeps what names a holder or a group that the snapshot lacks', () => {
  const rows = project(KUBE_OVN_ROWS).filter((it) => it.uid !== 'deny.ns1' && it.uid !== 'vpc1');
  const neighbourhood = northbound(rows, presence);
  for (const uid of ['deny-acl', 'web-0.ns1', 'vpc1-apps', 'route', 'chassis']) {
    expect(
      ownershipOf(
        rows.find((it) => it.uid === uid)!,
        neighbourhood,
      ),
    ).toMatchObject({ verdict: 'protect' });
  }
  const unheld = rows
    .map((it) => ({ ...it, object: { ...it.object, _parents: undefined } }))
    .filter((it) => it.kind === 'ACL' || it.kind === 'Logical_Router_Port');
  expect(unheld.map((it) => ownershipOf(it, northbound(unheld, presence)).verdict)).toEqual(
    unheld.map(() => 'protect'),
  );
});
