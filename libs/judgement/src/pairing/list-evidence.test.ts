import { type Built, ip, object, pod, port, row } from '../testing/builders';
import type { Entity } from '../world/entity';
import { type ListEvidenceKind, listEvidenceOf } from './list-evidence';
import { LISTED_KINDS } from './listed-kinds';

const OURS = { vendor: 'kube-ovn' };
const GOING = { deletionTimestamp: '2026-03-02T10:00:00Z' };

/** What it says, `<says> <kind> <key>`. */
const said = (built: Built): readonly string[] =>
  listEvidenceOf({
    ...built,
    source: 'kubernetes',
    stream: '',
    hash: '',
  } as unknown as Entity<ListEvidenceKind>).map(({ type, kind, key }) => `${type} ${kind} ${key}`);
const set = (ids: Record<string, string>): Built =>
  row('Address_Set', 'set', { external_ids: ids });
const owned = (kind: string, apiVersion: string, controller = true) => ({
  metadata: { ownerReferences: [{ kind, name: 'web', apiVersion, uid: 'u', controller }] },
});

test('an object of a listed kind is there, by its key', () => {
  for (const kind of LISTED_KINDS)
    expect(said(object(kind, 'shop/web'))).toContain(`there ${kind} shop/web`);
});

test('an object of another kind is nothing that is listed', () => {
  expect(said(object('Deployment', 'shop/web'))).toEqual([]);
  expect(said(object('IP', 'web'))).toEqual([]);
});

describe('a row of policies', () => {
  test.each([
    [{ sg: 'web' }, ['named SecurityGroup web']],
    [{ ippool: 'front' }, ['named IPPool front']],
    [{ 'vpc-egress-gateway': 'edge/out' }, ['named VpcEgressGateway edge/out']],
    [{ np: 'shop/web/ingress' }, ['named NetworkPolicy shop/web']],
  ])('with the keys %j names its one owner', (ids, names) =>
    expect(said(set({ ...OURS, ...ids }))).toEqual(names),
  );

  test.each([
    ['a policy, or a subnet and a node', { np: 'shop/web' }],
    ['a policy, or one whose name Kube-OVN put np before', { np: 'shop/np1/ingress' }],
    ['several owners', { sg: 'web', ippool: 'front' }],
    ['a node', { node: 'a' }],
    ['no owner', {}],
  ])('of which the keys may mean %s names nobody', (_, ids) =>
    expect(said(set({ ...OURS, ...(ids as Record<string, string>) }))).toEqual([]),
  );

  test('of somebody else names nobody', () => expect(said(set({ sg: 'web' }))).toEqual([]));
});

describe('a balancer of a VPC', () => {
  const balancer = (name: string, columns: object = {}): Built =>
    row('Load_Balancer', name, {
      protocol: 'udp',
      vips: { '10.96.0.9:53': '', nonsense: '' },
      external_ids: OURS,
      ...columns,
    });

  test.each(['vpc-a-tcp-load', 'cluster-tcp-loadbalancer', 'cluster-sctp-session-loadbalancer'])(
    '%s names the Service of each of its vips that can be read',
    (name) => expect(said(balancer(name))).toEqual(['named Service 10.96.0.9|53|udp']),
  );

  test('under another name, or of somebody else, names nobody', () => {
    expect(said(balancer('mine'))).toEqual([]);
    expect(said(balancer('vpc-a-tcp-load', { external_ids: {} }))).toEqual([]);
  });
});

describe('a port', () => {
  test.each<[string, object, readonly string[]]>([
    ['of type virtual names a Vip', { type: 'virtual', external_ids: OURS }, ['named Vip x']],
    [
      'that answers ARP names a Vip',
      { options: { arp_proxy: 'true' }, external_ids: { ...OURS, pod: 'shop/front' } },
      ['named Vip front'],
    ],
    ['of a pod names nobody', { external_ids: { ...OURS, pod: 'shop/front' }, up: true }, []],
    ['of somebody else names nobody', { type: 'virtual', external_ids: {} }, []],
  ])('%s', (_, columns, says) =>
    expect(said(row('Logical_Switch_Port', 'x', columns))).toEqual(says),
  );

  test('of a node that a chassis holds up needs the node, and one that is down does not', () => {
    const node = (up: boolean): Built =>
      row('Logical_Switch_Port', 'node-a', { up, external_ids: OURS });
    expect([said(node(true)), said(node(false))]).toEqual([['needed Node a'], []]);
    expect(said(port('web-0.shop', { up: true }))).toEqual([]);
  });
});

test('a Service and a SwitchLBRule are there under the address and port they ask for', () => {
  const spec = { ports: [{ port: 80 }, { port: 53, protocol: 'UDP' }] };
  expect(
    said(object('Service', 'shop/web', { spec: { ...spec, clusterIP: '10.96.0.9' } })),
  ).toEqual([
    'there Service shop/web',
    'there Service 10.96.0.9|80|tcp',
    'there Service 10.96.0.9|53|udp',
  ]);
  expect(said(object('SwitchLBRule', 'web', { spec: { ...spec, vip: '10.9.0.1' } }))).toEqual([
    'there Service 10.9.0.1|80|tcp',
    'there Service 10.9.0.1|53|udp',
  ]);
});

test.each<[string, Record<string, unknown>, readonly string[]]>([
  ['a machine', { podType: 'VirtualMachine' }, ['named VirtualMachine shop/web-2']],
  ['a StatefulSet', { podType: 'StatefulSet' }, ['named StatefulSet shop/web']],
  ['a pod', { podType: '' }, []],
])('an IP of %s', (_, spec, says) => expect(said(ip('web-2.shop', spec))).toEqual(says));

test('an IP of a StatefulSet without an ordinal, or of nobody, names nobody', () => {
  expect(said(ip('web.shop', { podType: 'StatefulSet' }))).toEqual([]);
  expect(said(object('IP', 'x', { spec: { podType: 'VirtualMachine', podName: 'x' } }))).toEqual(
    [],
  );
});

test('an OvnEip names the rules its status records, and each rule is there under its OvnEip', () => {
  expect(said(object('OvnEip', 'e', { status: { nat: 'fip,snat,dnat,toString' } }))).toEqual([
    'named OvnFip e',
    'named OvnSnatRule e',
    'named OvnDnatRule e',
  ]);
  for (const kind of ['OvnFip', 'OvnSnatRule', 'OvnDnatRule'] as const)
    expect(said(object(kind, 'r', { spec: { ovnEip: 'e' } }))).toEqual([
      `there ${kind} r`,
      `there ${kind} e`,
    ]);
});

test('a Subnet needs its Vpc, and a pod its node, while they are not going', () => {
  const spec = { vpc: 'a', nodeName: 'n' };
  expect(said(object('Subnet', 's', { spec }))).toEqual(['needed Vpc a']);
  expect(said(object('Subnet', 's', { spec, metadata: GOING }))).toEqual([]);
  expect(said(pod('shop/web', { spec }))).toContain('needed Node n');
  expect(said(pod('shop/web', { spec, metadata: GOING }))).toEqual([]);
});

describe('what has an owner', () => {
  test.each(['Pod', 'StatefulSet', 'Deployment', 'VirtualMachineInstance'] as const)(
    '%s needs the one that controls it',
    (kind) =>
      expect(said(object(kind, 'shop/x', owned('VirtualMachine', 'kubevirt.io/v1')))).toContain(
        'needed VirtualMachine shop/web',
      ),
  );

  test('needs it no more while it is going', () => {
    const { metadata } = owned('VirtualMachine', 'kubevirt.io/v1');
    expect(said(object('Deployment', 'shop/x', { metadata: { ...metadata, ...GOING } }))).toEqual(
      [],
    );
  });

  test.each([
    ['of another group', owned('VirtualMachine', 'elsewhere.io/v1')],
    ['that does not control it', owned('VirtualMachine', 'kubevirt.io/v1', false)],
    ['of a kind that is not listed', owned('ReplicaSet', 'apps/v1')],
  ])('does not need one %s', (_, over) =>
    expect(said(object('Deployment', 'shop/x', over))).toEqual([]),
  );
});
