import { type Built, logicalSwitch, object, pod, port, row } from '../testing/builders';
import type { Entity } from '../world/entity';
import { type Evidence, type EvidenceKind, evidenceOf } from './evidence';

const MAC = '0a:00:00:00:00:01';
const OVN = 'ovn.kubernetes.io';
const NET1 = 'net1.shop.ovn.kubernetes.io';
const PROTECTED = { vendor: 'kube-ovn', 'ovn-steward.dev/protect': 'known' };
const GOING = { deletionTimestamp: '2026-03-02T10:00:00Z' };

const said = (built: Built): readonly Evidence[] =>
  evidenceOf({
    ...built,
    source: 'kubernetes',
    stream: '',
    hash: '',
  } as unknown as Entity<EvidenceKind>);
/** What it says, `<says> <of> <name>`. */
const words = (built: Built): readonly string[] =>
  said(built).map(({ type, of, name }) => `${type} ${of} ${name}`);

describe('a port', () => {
  const nodePort = (columns: object = {}): Built =>
    row('Logical_Switch_Port', 'node-a', {
      external_ids: { vendor: 'kube-ovn' },
      addresses: [`${MAC} 100.64.0.2`],
      ...columns,
    });

  test('of a pod is a row of its name, in its namespace', () =>
    expect(said(port('web-0.shop', { up: true }))).toEqual([
      expect.objectContaining({
        type: 'row',
        of: 'pod',
        name: 'web-0.shop',
        namespace: 'shop',
        mac: MAC,
        live: true,
        random: false,
      }),
    ]));

  test('of a node is a row without a namespace', () =>
    expect(said(nodePort({ up: false }))).toEqual([
      expect.objectContaining({
        type: 'row',
        of: 'node',
        name: 'node-a',
        namespace: '',
        live: false,
      }),
    ]));

  test.each<[string, object]>([
    ['of another type', { type: 'router' }],
    ['of somebody else', { external_ids: { vendor: 'neutron' } }],
    ['of nobody', { external_ids: {} }],
    ['that a person protects', { external_ids: PROTECTED }],
  ])('%s says nothing', (_, columns) => expect(said(nodePort(columns))).toEqual([]));

  test('that serves nobody and has no name of a node says nothing', () =>
    expect(
      said(row('Logical_Switch_Port', 'x', { external_ids: { vendor: 'kube-ovn', pod: '/x' } })),
    ).toEqual([]));

  test.each<[string, unknown, string]>([
    ['in capitals', ['0A:00:00:00:00:0B 10.0.0.1'], '0a:00:00:00:00:0b'],
    ['by itself', ' 0a:00:00:00:00:0b ', '0a:00:00:00:00:0b'],
    ['as a word', ['dynamic'], ''],
    ['too long', [`${MAC}:00 10.0.0.1`], ''],
    ['twice', [`${MAC} 10.0.0.1`, '0a:00:00:00:00:02 10.0.0.2'], `${MAC},0a:00:00:00:00:02`],
    ['not at all', undefined, ''],
    ['as something else', [7], ''],
  ])('has its address %s', (_, addresses, mac) =>
    expect(said(nodePort({ addresses }))).toMatchObject([{ mac }]),
  );

  test('is held up only where that is said', () =>
    expect([said(nodePort({ up: true })), said(nodePort({ up: 'true' }))]).toMatchObject([
      [{ live: true }],
      [{ live: false }],
    ]));
});

describe('a pod', () => {
  const served = (of: string, more: object = {}): Record<string, string> => ({
    [`${of}/allocated`]: 'true',
    [`${of}/logical_switch`]: 'apps',
    [`${of}/mac_address`]: MAC,
    ...more,
  });
  const owner = (kind: string, controller = true) => [{ kind, name: 'web', uid: 'u', controller }];
  const made = (annotations: object, more: Record<string, unknown> = {}): Built =>
    pod('shop/web-0', { metadata: { annotations, ...more } });

  test('claims a port for each of its networks', () =>
    expect(words(made({ ...served(OVN), ...served(NET1) }))).toEqual([
      'claim pod web-0.shop',
      'claim pod web-0.shop.net1.shop.ovn',
    ]));

  test('without any has a port of its name all the same', () =>
    expect(words(made({}))).toEqual(['other pod web-0.shop']));

  test('that is gone misses no port', () => {
    expect(said(made(served(OVN)))).toMatchObject([{ live: true, mac: MAC, namespace: 'shop' }]);
    expect(said(made(served(OVN), GOING))).toMatchObject([{ live: false }]);
  });

  test.each(['ReplicaSet', 'ReplicationController', 'DaemonSet', 'Job'])(
    'of a %s has a name nobody chose',
    (kind) =>
      expect(said(made(served(OVN), { ownerReferences: owner(kind) }))).toMatchObject([
        { random: true },
      ]),
  );

  test.each<[string, object, Record<string, unknown>]>([
    ['by itself', {}, {}],
    ['of a StatefulSet', {}, { ownerReferences: owner('StatefulSet') }],
    ['that is owned and not controlled', {}, { ownerReferences: owner('Job', false) }],
    ['of a machine', { [`${OVN}/virtualmachine`]: 'm' }, { ownerReferences: owner('Job') }],
    [
      'with an address somebody gave it',
      { [`${OVN}/mac_address`]: '50:54:00:00:00:01' },
      { ownerReferences: owner('Job') },
    ],
    [
      'with an address that is none',
      { [`${OVN}/mac_address`]: '0a' },
      { ownerReferences: owner('Job') },
    ],
  ])('%s may be the same in two clusters', (_, annotations, metadata) =>
    expect(said(made(served(OVN, annotations), metadata))).toMatchObject([{ random: false }]),
  );
});

describe('a node', () => {
  const node = (mac: string, more: object = {}, metadata: object = {}): Built =>
    object('Node', 'a', {
      metadata: {
        annotations: { [`${OVN}/allocated`]: 'true', [`${OVN}/mac_address`]: mac, ...more },
        ...metadata,
      },
    });

  test.each<[string, boolean]>([
    [MAC, true],
    ['0A:00:00:00:00:0B', true],
    ['f2:00:00:00:00:01', true],
    ['f6:00:00:00:00:01', true],
    ['fe:00:00:00:00:01', true],
    ['00:00:00:12:34:56', true],
    ['00:00:01:12:34:56', false],
    ['08:00:00:12:34:56', false],
    ['', false],
  ])('with the address %p claims its port; at random: %s', (mac, random) =>
    expect(said(node(mac))).toMatchObject([
      { type: 'claim', of: 'node', name: 'node-a', mac: mac.toLowerCase(), live: true, random },
    ]),
  );

  test('that Kube-OVN did not address yet claims nothing', () =>
    expect(said(node(MAC, { [`${OVN}/allocated`]: 'false' }))).toEqual([]));

  test('that goes misses no port', () =>
    expect(said(node(MAC, {}, GOING))).toMatchObject([{ live: false }]));
});

describe('a network', () => {
  const FINALIZERS = { finalizers: ['kubeovn.io/kube-ovn-controller'] };
  const subnet = (provider: string | undefined, metadata: object = FINALIZERS): Built =>
    object('Subnet', 'apps', {
      metadata: { ...metadata },
      spec: provider === undefined ? {} : { provider },
    });

  test('is a Subnet with its switch, or a Vpc with its router', () => {
    expect(words(logicalSwitch('apps'))).toEqual(['row network Subnet/apps']);
    expect(words(row('Logical_Router', 'v'))).toEqual(['row network Vpc/v']);
    expect(words(subnet('ovn'))).toEqual(['claim network Subnet/apps']);
    expect(words(object('Vpc', 'v'))).toEqual(['claim network Vpc/v']);
    expect(said(object('Vpc', 'v'))).toMatchObject([{ live: true }]);
  });

  test.each<[string, object, boolean]>([
    ["Kube-OVN's", { vendor: 'kube-ovn' }, true],
    ["somebody else's", {}, false],
    ['protected', PROTECTED, false],
  ])('a switch that is %s misses its Subnet: %s', (_, ids, live) =>
    expect(said(logicalSwitch('apps', { external_ids: ids as never }))).toMatchObject([{ live }]),
  );

  test.each<[string, Built, boolean]>([
    ['no provider', subnet(undefined), true],
    ['an empty one', subnet(''), true],
    ['ovn', subnet('ovn'), true],
    ['an attachment of ovn', subnet('net1.shop.ovn'), true],
    ['two parts, which name no attachment', subnet('shop.ovn'), false],
    ['four parts, which name none either', subnet('a.b.shop.ovn'), false],
    ['an attachment of another', subnet('net1.shop'), false],
    ['ovn, and no finalizer yet', subnet('ovn', {}), false],
  ])('a Subnet with %s must have its switch: %s', (_, built, live) =>
    expect(said(built)).toMatchObject([{ live }]),
  );
});

test.each<[string, Built, string]>([
  ['an OvnEip', object('OvnEip', 'eip'), 'other pod eip'],
  ['a machine', object('VirtualMachine', 'shop/m'), 'other pod m.shop'],
  ['an instance', object('VirtualMachineInstance', 'shop/m'), 'other pod m.shop'],
])('%s may have a port of its name', (_, built, says) => expect(words(built)).toEqual([says]));
