import { createEngine } from '../create-engine';
import type { Built } from '../testing/builders';
import { logicalSwitch, object, pairedNode, pod, port, row } from '../testing/builders';
import { History } from '../testing/history';
import { pairing } from './pairing';
import { NO_GRACE } from '../testing/grace';

const UNCHECKED = { checked: false };
const FOUND = ['orphaned-logical-switch-port'];

const orphan = port('lost-0.shop');
const MAC = (nth: number): string => `0a:00:00:00:01:${String(nth % 100).padStart(2, '0')}`;

/** A pod of a ReplicaSet with its port: `mac` of the pod, `portMac` of the port. */
function served(
  nth: number,
  { namespace = 'shop', mac = MAC(nth), portMac = MAC(nth), owner = 'ReplicaSet' } = {},
): readonly [Built, Built] {
  const name = `web-${nth}`;
  return [
    pod(`${namespace}/${name}`, {
      metadata: {
        ownerReferences: [{ kind: owner, name: 'web', uid: 'web', controller: true }],
        annotations: {
          'ovn.kubernetes.io/allocated': 'true',
          'ovn.kubernetes.io/logical_switch': 'apps',
          'ovn.kubernetes.io/ip_address': `10.17.1.${nth}`,
          'ovn.kubernetes.io/mac_address': mac,
        },
      },
    }),
    port(`${name}.${namespace}`, { up: true, addresses: [`${portMac} 10.17.1.${nth}`] }),
  ];
}
const many = (count: number, more: Parameters<typeof served>[1] = {}, from = 0): Built[] =>
  Array.from({ length: count }, (_, nth) => served(from + nth, more)).flat();
const only = (kind: string, things: readonly Built[]): Built[] =>
  things.filter((it) => it.kind === kind);

/** A Subnet with its switch, and the definition that says that Kube-OVN is there. */
const network = (name: string): readonly [Built, Built] => [
  object('Subnet', name, { metadata: { finalizers: ['kubeovn.io/kube-ovn-controller'] } }),
  logicalSwitch(name),
];
const DEFINITION = object('CustomResourceDefinition', 'subnets.kubeovn.io');
const networks = (count: number): Built[] => [
  DEFINITION,
  ...Array.from({ length: count }, (_, nth) => network(`net-${nth}`)).flat(),
];

/** What is said of one orphaned port, beside these things. */
function said(things: readonly Built[], recorded = true) {
  const history = new History();
  const engine = createEngine({ cluster: 'test', grace: NO_GRACE }, recorded);
  const all = [object('Subnet', 'apps'), logicalSwitch(), orphan, ...things];
  engine.apply(
    [...history.listNothingMore(), ...all.map((it) => history.put(it)), ...history.heartbeats(0)],
    UNCHECKED,
  );
  const outcome = (): string[] => [
    ...engine
      .findings()
      .filter((it) => it.subject.uid === orphan.uid)
      .map((it) => it.rule),
    ...engine
      .unknowns()
      .filter((it) => it.subject?.uid === orphan.uid)
      .map((it) => it.reason),
  ];
  return { engine, history, outcome, state: () => pairing(engine.world).is };
}

test.each<[string, readonly Built[]]>([
  ['a node has the MAC of its port', pairedNode()],
  ['a node of an older release has it', pairedNode('n', { mac: '00:00:00:53:6B:B6' })],
  ['a pod with a random name has it', served(1)],
  ['its case differs', served(1, { mac: '0A:0B:0C:00:00:01', portMac: '0a:0b:0c:00:00:01' })],
  [
    "another node's port is up that is not here, of three",
    [...pairedNode('a'), ...pairedNode('b'), pairedNode('gone')[1]!],
  ],
  ['one of thirty disagrees', [...many(30), ...served(31, { portMac: MAC(99) })]],
  ['one of forty pods is missed', [...many(40), served(41)[1]]],
  [
    'a person knows of a port that is up',
    [
      ...pairedNode(),
      port('x.empty', {
        up: true,
        external_ids: { vendor: 'kube-ovn', pod: 'empty/x', 'ovn-steward.dev/protect': 'known' },
      }),
    ],
  ],
  ['ports that nobody has are down', [...pairedNode(), port('x.empty'), port('y.empty')]],
  [
    "a gateway's port has a node's form of name",
    [...pairedNode(), object('OvnEip', 'node-1'), pairedNode('1')[1]!],
  ],
  [
    'half of the pods lost their ports, and nodes agree',
    [...pairedNode(), ...many(3), ...only('Pod', many(9, {}, 10))],
  ],
  [
    'all networks but one of ten have their Subnets',
    [...pairedNode(), ...networks(9), network('stripped')[1]],
  ],
  [
    'half of the networks lost their switches, and nobody is missed',
    [...pairedNode(), ...networks(4), ...only('Subnet', networks(9))],
  ],
  [
    'Kube-OVN was taken away with its definitions',
    [...pairedNode(), ...only('Logical_Switch', networks(9)), object('Vpc', 'ovn-cluster')],
  ],
  [
    'Subnets that nobody took up yet, or without switches, have none',
    [
      ...pairedNode(),
      ...networks(3),
      served(1)[1],
      ...['a', 'b', 'c'].map((it) => object('Subnet', it)),
      ...['d', 'e', 'f'].map((name) =>
        object('Subnet', name, {
          metadata: { finalizers: ['kubeovn.io/kube-ovn-controller'] },
          spec: { provider: 'macvlan.kube-system' },
        }),
      ),
      ...many(2),
    ],
  ],
  [
    'switches of others have no Subnet',
    [
      ...pairedNode(),
      ...networks(3),
      ...[1, 2, 3].map((nth) => logicalSwitch(`neutron-${nth}`, { external_ids: {} })),
    ],
  ],
])('paired: %s', (_, things) => {
  const { outcome, state } = said(things);
  expect(state()).toBe('paired');
  expect(outcome()).toEqual(FOUND);
});

test.each<[string, readonly Built[]]>([
  ['a namesake of a node has another MAC', pairedNode('a', { portMac: '0a:58:64:40:00:99' })],
  ['as many pods disagree as agree', [...many(3), ...many(3, { portMac: MAC(99) }, 10)]],
  [
    'nodes disagree, and pods with given MACs agree',
    [...pairedNode('a', { portMac: MAC(98) }), ...many(50, { owner: 'StatefulSet' })],
  ],
  [
    'nobody here has a port there, and nobody there is here',
    [...only('Logical_Switch_Port', pairedNode('theirs')), ...only('Node', pairedNode('ours'))],
  ],
])('mispaired: %s', (_, things) => {
  const { outcome, state } = said(things);
  expect(state()).toBe('mispaired');
  expect(outcome()).toEqual([expect.stringContaining('another one than that of the network')]);
});

test.each<[string, readonly Built[], RegExp]>([
  ['nothing was ever addressed', [], /nothing shows/],
  ['a node has no address yet', [object('Node', 'a')], /nothing shows/],
  [
    'a port has no MAC',
    [pairedNode('a')[0]!, port('node-a', { addresses: ['dynamic'] })],
    /nothing shows/,
  ],
  ['all that agrees may be given', many(9, { owner: 'StatefulSet' }), /may have given/],
  [
    'all that agrees was given',
    many(9, { mac: '00:50:56:00:00:01', portMac: '00:50:56:00:00:01' }),
    /may have given/,
  ],
  ["a machine's port agrees", machine(), /may have given/],
  [
    'three of twenty disagree',
    [...many(17), ...many(3, { portMac: MAC(99) }, 20)],
    /too many pods and nodes/,
  ],
  [
    'no node was read',
    [...many(5), ...only('Logical_Switch_Port', pairedNode())],
    /ports of nodes up/,
  ],
  [
    'half of the pods were not read',
    [...pairedNode(), ...many(9), ...only('Logical_Switch_Port', many(9, {}, 20))],
    /ports of too many pods/,
  ],
  [
    'one namespace was not read',
    [...pairedNode(), ...many(9), served(20, { namespace: 'ops' })[1]],
    /ports of namespace ops up/,
  ],
  [
    'most ports are not there, and no node shows whose it is',
    [...many(3), ...only('Pod', many(9, {}, 20))],
    /most pods have no port/,
  ],
  [
    'two of twelve networks have no Subnet: the past of a cluster, or its copy',
    [...pairedNode(), ...networks(10), network('newer-1')[1], network('newer-2')[1]],
    /no Subnet or Vpc/,
  ],
  [
    'no Subnet was read',
    [
      ...pairedNode(),
      DEFINITION,
      ...only('Logical_Switch', networks(9)),
      object('Vpc', 'ovn-cluster'),
    ],
    /no Subnet or Vpc/,
  ],
  [
    'pods have no ports, and ports have no pods',
    [...pairedNode(), ...many(9), ...only('Pod', many(3, {}, 20)), served(40)[1]],
    /each side has/,
  ],
  [
    'Vpcs have no routers, and ports have no pods',
    [
      ...pairedNode(),
      ...many(9),
      ...networks(0),
      ...['a', 'b', 'c'].map((it) => object('Vpc', it)),
      served(40)[1],
    ],
    /each side has/,
  ],
])('unknown: %s', (_, things, reason) => {
  const { outcome, state } = said(things);
  expect(state()).toBe('unknown');
  expect(outcome()).toEqual([expect.stringMatching(reason)]);
});

function machine(): Built[] {
  const [made, itsPort] = served(1, { owner: 'ReplicaSet' });
  const annotations = {
    ...(made.object['metadata'] as { annotations: object }).annotations,
    'ovn.kubernetes.io/virtualmachine': 'vm-1',
  };
  return [
    {
      ...made,
      object: { ...made.object, metadata: { ...(made.object['metadata'] as object), annotations } },
    },
    port('vm-1.shop', { up: true, addresses: itsPort.object['addresses'] as string[] }),
  ];
}

test('it is judged again when the evidence comes and goes, and when pods or nodes cannot be listed', () => {
  const { engine, history, outcome, state } = said([]);
  const after = (...changes: Parameters<typeof engine.apply>[0][number][]) => {
    engine.apply(changes, UNCHECKED);
    return outcome();
  };
  const [node, itsPort] = pairedNode() as [Built, Built];
  expect(after(history.put(node))).not.toEqual(FOUND);
  expect(after(history.put(itsPort))).toEqual(FOUND);
  for (const kind of ['Node', 'Logical_Switch_Port']) {
    after(history.lose(kind));
    expect(state()).toBe('unknown');
    after(history.complete(kind));
    expect(state()).toBe('paired');
  }
  expect(after(...history.remove(node))).not.toEqual(FOUND);
  expect(after(history.put(node))).toEqual(FOUND);
  expect(after(history.put(port('x.ops', { up: true, addresses: [] })))).not.toEqual(FOUND);
  expect(after(history.put(port('x.ops', { up: false, addresses: [] })))).toEqual(FOUND);
});

test('of living systems, networks without their Subnets are what is to be found', () => {
  const things = [...pairedNode(), ...networks(3), ...only('Logical_Switch', networks(9))];
  expect([said(things, true).state(), said(things, false).state()]).toEqual(['unknown', 'paired']);
});

test('of living systems, ports that were lost are what is to be found, though a pod is missed', () => {
  const lost = only('Pod', many(3, {}, 20));
  const things = [...pairedNode(), ...many(9), ...lost, served(40)[1]];
  expect([said(things, true).state(), said(things, false).state()]).toEqual(['unknown', 'paired']);
});

test('where Kube-OVN was taken away, but for its definitions, no network is missed', () => {
  const { engine, history, state } = said([
    ...pairedNode(),
    DEFINITION,
    ...only('Logical_Switch', networks(9)),
  ]);
  expect(state()).toBe('unknown');
  engine.apply(history.remove(object('Subnet', 'apps')), UNCHECKED);
  expect(state()).toBe('paired');
});

describe('what is not known completely', () => {
  const without = (kinds: readonly string[], things: readonly Built[]) => {
    const { engine, history } = said(things);
    for (const kind of kinds) engine.apply([history.lose(kind)], UNCHECKED);
    return pairing(engine.world);
  };

  test.each<[string, readonly string[], readonly Built[]]>([
    ['Pods, where all nodes agree', ['Pod'], [...pairedNode('a'), ...pairedNode('b')]],
    [
      'Pods, of which many held are old',
      ['Pod'],
      [...pairedNode(), ...only('Pod', many(30)), ...only('Logical_Switch_Port', many(9, {}, 50))],
    ],
    ['Nodes, where more than a few pods agree', ['Node'], many(3)],
    [
      'Nodes, of which those held are of another time',
      ['Node'],
      [...many(3), ...pairedNode('a', { portMac: '0a:58:64:40:00:99' })],
    ],
    [
      'Subnets, of which many held are gone',
      ['Subnet'],
      [...pairedNode(), DEFINITION, ...only('Logical_Switch', networks(9))],
    ],
  ])('is left out: %s', (_, kinds, things) => {
    expect(without(kinds, things)).toMatchObject({ is: 'paired' });
  });

  test.each<[string, readonly string[], readonly Built[], RegExp]>([
    ['Pods and Nodes', ['Pod', 'Node'], [...pairedNode(), ...many(9)], /neither Pods nor Nodes/],
    [
      'Pods, and one node of three has another MAC',
      ['Pod'],
      [
        ...pairedNode('a'),
        ...pairedNode('b'),
        ...pairedNode('c', { portMac: '0a:58:64:40:00:99' }),
      ],
      /not all nodes/,
    ],
    [
      'Pods, and a node of three is missed',
      ['Pod'],
      [...pairedNode('a'), ...pairedNode('b'), pairedNode('c')[1]!],
      /not all nodes/,
    ],
    ['Nodes, and two pods agree', ['Node'], many(2), /too few pods/],
    ['Pods, and no node was addressed', ['Pod'], many(9), /nothing shows/],
    ['the database', ['Logical_Switch_Port'], pairedNode(), /database is not known/],
  ])('unknown without %s', (_, kinds, things, reason) => {
    expect(without(kinds, things)).toMatchObject({
      is: 'unknown',
      reason: expect.stringMatching(reason),
    });
  });

  test('a rule that does not read Pods is judged while one of them cannot be read', () => {
    const { engine, history } = said(pairedNode());
    const policy = row('Port_Group', 'gone.shop', {
      external_ids: { vendor: 'kube-ovn', np: 'shop/gone' },
    });
    const rules = (): string[] =>
      engine
        .findings()
        .filter((it) => it.subject.uid === policy.uid)
        .map((it) => it.rule);
    engine.apply([history.put(policy)], UNCHECKED);
    expect(rules()).toEqual(['orphaned-port-group']);
    engine.apply([history.lose('Pod')], UNCHECKED);
    engine.apply([history.put({ ...policy, name: 'gone.again' })], UNCHECKED);
    expect(engine.unknowns().filter((it) => it.subject?.uid === policy.uid)).toEqual([]);
    expect(rules()).toEqual(['orphaned-port-group']);
  });
});

test('a rule that reads one system alone needs no pairing', () => {
  const { engine, history } = said([object('Vpc', 'ovn-cluster')]);
  engine.apply([history.put(object('Subnet', 'far', { spec: { vpc: 'nowhere' } }))], UNCHECKED);
  expect(engine.findings().map((it) => it.rule)).toContain('vpc-of-subnet-missing');
});
