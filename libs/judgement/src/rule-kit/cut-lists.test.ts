import { createEngine } from '../create-engine';
import { type Built, ip, object, pairedNode, pod, port, row } from '../testing/builders';
import { History } from '../testing/history';
import type { Kind } from '../world/entity';
import { cutLists, doubtOfLists } from './cut-lists';
import { absent, unclaimed } from './facts';
import { NO_GRACE } from '../testing/grace';

const UNCHECKED = { checked: false };
const OURS = { vendor: 'kube-ovn' };

const DEFINITIONS = [
  ...['security-groups', 'ippools', 'vpc-egress-gateways', 'vips', 'vpcs'],
  ...['ovn-eips', 'ovn-fips', 'ovn-snat-rules', 'ovn-dnat-rules'],
]
  .map((it) => `${it}.kubeovn.io`)
  .concat('virtualmachines.kubevirt.io', 'virtualmachineinstances.kubevirt.io')
  .concat(
    ['adminnetworkpolicies', 'baselineadminnetworkpolicies', 'clusternetworkpolicies'].map(
      (it) => `${it}.policy.networking.k8s.io`,
    ),
  )
  .map((it) => object('CustomResourceDefinition', it));
const KEPT = object('Service', 'default/kubernetes');

/** A world in which everything was listed, with these things and what every cluster has. */
function engineOf(things: readonly Built[], recorded = true) {
  const engine = createEngine({ cluster: 'test', grace: NO_GRACE }, recorded);
  const history = new History();
  const all = [...pairedNode(), ...DEFINITIONS, KEPT, ...things];
  engine.apply([...history.listNothingMore(), ...all.map((it) => history.put(it))], UNCHECKED);
  return { engine, history, cut: () => cutLists(engine.world).map(({ kind }) => kind) };
}
const cut = (...things: readonly Built[]): readonly string[] => engineOf(things).cut();

const set = (name: string, ids: Record<string, string>): Built =>
  row('Address_Set', name, { external_ids: { ...OURS, ...ids } });
const ofPolicy = (name: string): Built => set(`${name}.in`, { np: `shop/${name}/ingress` });
const policy = (name: string): Built => object('NetworkPolicy', `shop/${name}`);
const balancer = (vips: readonly string[], columns: Record<string, unknown> = {}): Built =>
  row('Load_Balancer', 'cluster-tcp-loadbalancer', {
    protocol: 'tcp',
    vips: Object.fromEntries(vips.map((it) => [it, '10.17.0.9:80'])),
    external_ids: OURS,
    ...columns,
  });
const service = (name: string, clusterIP: string): Built =>
  object('Service', `shop/${name}`, { spec: { clusterIP, ports: [{ port: 80 }] } });
const eip = (name: string, nat: string): Built => object('OvnEip', name, { status: { nat } });
const rule = (kind: Kind, ovnEip: string): Built =>
  object(kind, `of-${ovnEip}`, { spec: { ovnEip } });
const vip = (name: string): Built =>
  row('Logical_Switch_Port', name, { type: 'virtual', external_ids: OURS });
const answering = (name: string): Built => port(`${name}.shop`, { options: { arp_proxy: 'true' } });
const ofMachine = (name: string): Built => ip(`${name}.vms`, { podType: 'VirtualMachine' });
const ofSet = (name: string): Built => ip(`${name}.shop`, { podType: 'StatefulSet' });

/** What was made for one object of the kind, and that object. */
const MADE: readonly (readonly [kind: Kind, made: Built, object: Built])[] = [
  ['Service', balancer(['10.96.0.9:80']), service('web', '10.96.0.9')],
  [
    'Service',
    balancer(['10.96.0.9:80']),
    object('SwitchLBRule', 'web', { spec: { vip: '10.96.0.9', ports: [{ port: 80 }] } }),
  ],
  ['NetworkPolicy', ofPolicy('allow'), policy('allow')],
  ['SecurityGroup', set('sg', { sg: 'web' }), object('SecurityGroup', 'web')],
  [
    'SecurityGroup',
    row('Port_Group', 'ovn.sg.web', { external_ids: { ...OURS, sg: 'web' } }),
    object('SecurityGroup', 'web'),
  ],
  ['AdminNetworkPolicy', set('a', { anp: 'a/ingress' }), object('AdminNetworkPolicy', 'a')],
  [
    'BaselineAdminNetworkPolicy',
    set('b', { banp: 'b/egress' }),
    object('BaselineAdminNetworkPolicy', 'b'),
  ],
  ['ClusterNetworkPolicy', set('c', { cnp: 'c/egress' }), object('ClusterNetworkPolicy', 'c')],
  ['IPPool', set('pool', { ippool: 'front' }), object('IPPool', 'front')],
  [
    'VpcEgressGateway',
    set('veg', { 'vpc-egress-gateway': 'edge/out' }),
    object('VpcEgressGateway', 'edge/out'),
  ],
  ['VirtualMachine', ofMachine('vm'), object('VirtualMachine', 'vms/vm')],
  ['StatefulSet', ofSet('db-2'), object('StatefulSet', 'shop/db')],
  ['Vip', vip('front'), object('Vip', 'front')],
  ['Vip', answering('front'), object('Vip', 'front')],
  ['OvnFip', eip('e', 'fip'), rule('OvnFip', 'e')],
  ['OvnSnatRule', eip('e', 'snat'), rule('OvnSnatRule', 'e')],
  ['OvnDnatRule', eip('e', 'dnat'), rule('OvnDnatRule', 'e')],
];

test.each(MADE)('%s: something was made for one, and there is none', (kind, made, owner) => {
  expect(cut(made)).toEqual([kind]);
  expect(cut(made, owner)).toEqual([]);
});

test.each<[string, Built]>([
  ['a built-in security group', set('sg', { sg: 'default-securitygroup' })],
  ["a node's port group, whose key may be a policy's", set('node.a', { np: 'node/a' })],
  ['a row of somebody else', row('Address_Set', 'a', { external_ids: { np: 'shop/allow/in' } })],
  ["somebody else's balancer", balancer(['10.96.0.9:80'], { external_ids: {} })],
  ["a balancer of no Vpc's", { ...balancer(['10.96.0.9:80']), name: 'mine' }],
  ['an entry that is no address', balancer(['^web'])],
  ['an address of a Deployment', ip('web-1.shop')],
  ['an address of no ordinal', ofSet('db')],
  ["a pod's port", port('web-1.shop')],
  ['an OvnEip that is not used', eip('e', '')],
])('nothing is named by %s', (_, made) => expect(cut(made)).toEqual([]));

test('one that is there shows that the list was read', () =>
  expect(cut(ofPolicy('a'), policy('a'), ofPolicy('b'), ofPolicy('c'))).toEqual([]));

test('one for which nothing was made shows nothing', () =>
  expect(cut(ofPolicy('a'), policy('new'))).toEqual(['NetworkPolicy']));

test('more than two are missed, and more than a third', () => {
  const there = (count: number): Built[] =>
    Array.from({ length: count }, (_, nth) => [ofPolicy(`a${nth}`), policy(`a${nth}`)]).flat();
  const gone = ['x', 'y', 'z'].map(ofPolicy);
  expect(cut(...there(5), ...gone)).toEqual(['NetworkPolicy']);
  expect(cut(...there(6), ...gone)).toEqual([]);
  expect(cut(...there(1), ...gone.slice(1))).toEqual([]);
});

test('Services without the one that every API server keeps', () => {
  const { engine, history, cut } = engineOf([
    balancer(['10.96.0.9:80']),
    service('web', '10.96.0.9'),
  ]);
  expect(cut()).toEqual([]);
  engine.apply(history.remove(KEPT), UNCHECKED);
  expect(cutLists(engine.world)).toEqual([
    { kind: 'Service', reason: expect.stringContaining('it lacks default/kubernetes') },
  ]);
});

test('one rule of an OvnEip that is missed is no sign while others are there', () => {
  const snat = [eip('s', 'snat'), rule('OvnSnatRule', 's')];
  expect(cut(...snat, eip('a', 'fip'))).toEqual([]);
  expect(cut(...snat, eip('a', 'fip'), eip('b', 'fip'))).toEqual(['OvnFip']);
  expect(cut(eip('s', 'snat'), eip('a', 'fip'))).toEqual(['OvnFip', 'OvnSnatRule']);
});

test('a kind whose definition is gone has no objects, unless definitions were not read either', () => {
  const things = [ofMachine('vm')];
  const { engine, history, cut } = engineOf(things);
  const gone = DEFINITIONS.find(({ name }) => name.startsWith('virtualmachines.'))!;
  engine.apply(history.remove(gone), UNCHECKED);
  expect(cut()).toEqual([]);
  engine.apply([history.lose('CustomResourceDefinition')], UNCHECKED);
  expect(cut()).toEqual(['VirtualMachine']);
});

test('a list of definitions without that of the Subnets there are is cut itself', () => {
  const { engine, history, cut } = engineOf([ofMachine('vm'), object('Subnet', 'apps')]);
  for (const it of DEFINITIONS) engine.apply(history.remove(it), UNCHECKED);
  expect(cut()).toEqual(['VirtualMachine']);
  engine.apply([history.put(object('CustomResourceDefinition', 'subnets.kubeovn.io'))], UNCHECKED);
  expect(cut()).toEqual([]);
});

test('a kind that is not known completely is not called cut', () => {
  const { engine, history, cut } = engineOf([ofPolicy('allow')]);
  engine.apply([history.lose('NetworkPolicy')], UNCHECKED);
  expect(cut()).toEqual([]);
});

test('living systems answer for themselves', () => {
  const { engine, cut } = engineOf([ofPolicy('allow')], false);
  expect(cut()).toEqual([]);
  expect(doubtOfLists(engine.world, [absent('NetworkPolicy', 'shop/allow')], () => {})).toBe(
    undefined,
  );
  expect(() => engine.world.tallied('list-evidence', 'NetworkPolicy')).toThrow(
    /not in the registry/,
  );
});

test('what comes and goes is counted again', () => {
  const { engine, history, cut } = engineOf([ofPolicy('allow'), policy('allow')]);
  engine.apply(history.remove(policy('allow')), UNCHECKED);
  expect(cut()).toEqual(['NetworkPolicy']);
  engine.apply(history.remove(ofPolicy('allow')), UNCHECKED);
  expect(cut()).toEqual([]);
});

describe('what is called absent', () => {
  const doubt = (things: readonly Built[], ...proof: Parameters<typeof doubtOfLists>[1]) =>
    doubtOfLists(engineOf(things).engine.world, proof, () => {});

  test('of a list that seems cut is in doubt, under whatever name', () => {
    expect(doubt([ofPolicy('a')], absent('NetworkPolicy', 'shop/b'))).toMatch(
      /recorded list of NetworkPolicy/,
    );
    expect(doubt([eip('e', 'fip')], unclaimed('OvnFip', 'address', 'x'))).toMatch(/of OvnFip/);
  });

  test('of another list is not', () =>
    expect(doubt([ofPolicy('a')], absent('SecurityGroup', 'web'), absent('Subnet', 'b'))).toBe(
      undefined,
    ));

  test('of a kind that nearly any address may be of by its name, only what was made for one is', () => {
    expect(doubt([ofMachine('vm')], absent('VirtualMachine', 'shop/web-1'))).toBe(undefined);
    expect(doubt([ofMachine('vm')], absent('VirtualMachine', 'vms/vm'))).toMatch(/VirtualMachine/);
  });

  const owned = (kind: string, name: string, apiVersion: string, more = {}) => ({
    metadata: {
      ownerReferences: [{ kind, name, apiVersion, uid: 'o', controller: true }],
      ...more,
    },
  });
  const VM = absent('VirtualMachine', 'vms/vm');
  const instance = (more: Parameters<typeof object>[2]): Built =>
    object('VirtualMachineInstance', 'vms/vm', more);

  test.each<[string, Built, Parameters<typeof doubtOfLists>[1][number]]>([
    ['a pod runs on the node', pod('shop/web'), absent('Node', 'worker-1')],
    [
      "the node's port is up",
      row('Logical_Switch_Port', 'node-a', { up: true, external_ids: OURS }),
      absent('Node', 'a'),
    ],
    ['a machine runs', instance(owned('VirtualMachine', 'vm', 'kubevirt.io/v1')), VM],
    [
      'a pod of a set lives',
      pod('shop/db-0', owned('StatefulSet', 'db', 'apps/v1')),
      absent('StatefulSet', 'shop/db'),
    ],
    [
      'pods of a gateway are to run',
      object('Deployment', 'edge/out', owned('VpcEgressGateway', 'out', 'kubeovn.io/v1')),
      absent('VpcEgressGateway', 'edge/out'),
    ],
    [
      'a Vpc has a Subnet',
      object('Subnet', 'apps', { spec: { vpc: 'tenant' } }),
      absent('Vpc', 'tenant'),
    ],
  ])('%s: it was left out of the recording', (_, alive, fact) =>
    expect(doubt([alive], fact)).toMatch(/what lives only with it is/),
  );

  test.each<[string, Built]>([
    [
      'that is going itself',
      instance(owned('VirtualMachine', 'vm', 'kubevirt.io/v1', { deletionTimestamp: 'x' })),
    ],
    ['of an API group of somebody else', instance(owned('VirtualMachine', 'vm', 'example.com/v1'))],
    [
      "that is somebody else's to control",
      instance({
        metadata: {
          ownerReferences: [
            { kind: 'VirtualMachine', name: 'vm', apiVersion: 'kubevirt.io/v1', uid: 'o' },
          ],
        },
      }),
    ],
    ['that is owned by another one', instance(owned('VirtualMachine', 'other', 'kubevirt.io/v1'))],
  ])('an instance %s shows nothing', (_, it) => expect(doubt([it], VM)).toBe(undefined));

  test.each<[string, Built, Parameters<typeof doubtOfLists>[1][number]]>([
    [
      "a node's port that is down",
      row('Logical_Switch_Port', 'node-a', { up: false, external_ids: OURS }),
      absent('Node', 'a'),
    ],
    [
      'a pod that is going',
      pod('shop/web', { metadata: { deletionTimestamp: 'x' } }),
      absent('Node', 'worker-1'),
    ],
    [
      'a Subnet that is going',
      object('Subnet', 'a', { metadata: { deletionTimestamp: 'x' }, spec: { vpc: 'tenant' } }),
      absent('Vpc', 'tenant'),
    ],
  ])('%s shows nothing', (_, it, fact) => expect(doubt([it], fact)).toBe(undefined));
});
