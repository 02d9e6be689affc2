import { createEngine } from '../create-engine';
import type { Built } from '../testing/builders';
import { logicalSwitch, object, pairedNode, pod, port, row } from '../testing/builders';
import { History } from '../testing/history';
import { NO_GRACE } from '../testing/grace';

const UNCHECKED = { checked: false };
const NB = '5d02d3d0-9a3c-4ee1-a0cb-9c6e1b7f3a54';
const UID = '0f6f7a3e-33c5-4f6b-8a3e-6f6f0c4f2d11';
const SAID = `nb:${NB}/${UID}`;
const REPORTED = {
  metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['kubeovn.io/x'] },
};
const ADDRESSED = {
  metadata: {
    annotations: {
      'ovn.kubernetes.io/allocated': 'true',
      'ovn.kubernetes.io/logical_switch': 'apps',
      'ovn.kubernetes.io/mac_address': '0a:00:00:00:00:42',
    },
  },
};

const orphan = port('lost-0.shop');
/**
 * After an uninstall: a switch and a port of it that nobody has, a Subnet that is being deleted, a
 * node that keeps its annotations.
 */
const LEFT: readonly Built[] = [
  row('NB_Global', '', { uid: NB }),
  object('Namespace', 'kube-system', { uid: UID }),
  object('Subnet', 'apps', REPORTED),
  logicalSwitch(),
  orphan,
  pairedNode()[0]!,
];

function held(more: readonly Built[] = [], said: readonly string[] = [SAID], without?: string) {
  const history = new History();
  const engine = createEngine({ cluster: 'test', grace: NO_GRACE, uninstalled: said });
  const list = history
    .listNothingMore()
    .filter((it) => without === undefined || it.stream !== `kubernetes/${without}`);
  engine.apply(
    [...list, ...[...LEFT, ...more].map((it) => history.put(it)), ...history.heartbeats(0)],
    UNCHECKED,
  );
  const found = (): readonly string[] =>
    engine
      .findings()
      .filter((it) => it.subject.uid === orphan.uid)
      .map((it) => it.rule);
  return { engine, history, found };
}

test('nobody said it: nothing shows that both are one cluster, and nothing is found', () => {
  const { engine, found } = held([], []);
  expect(engine.pairing()).toMatchObject({ is: 'unknown', bySaying: false });
  expect(engine.refusedStatement()).toBeUndefined();
  expect(found()).toEqual([]);
});

test.each([SAID, `cid:11111111-2222-3333-4444-555555555555/${UID}`])(
  'said of this pair, and nothing speaks against it: what was left is judged (%s)',
  (said) => {
    const { engine, found } = held([], [`nb:${NB}/another`, said]);
    expect(engine.pairing()).toMatchObject({ is: 'paired', bySaying: true });
    expect(engine.refusedStatement()).toBeUndefined();
    expect(found()).toEqual(['orphaned-logical-switch-port']);
  },
);

test.each([
  ['another Kubernetes', `nb:${NB}/another`],
  ['another Northbound', `nb:${NB.replace('5', '6')}/${UID}`],
])('said of %s, it counts for nothing', (_, said) => {
  const { engine, found } = held([], [said]);
  expect(engine.pairing()).toMatchObject({ is: 'unknown', bySaying: false });
  expect(engine.refusedStatement()).toContain('this is another pair');
  expect(found()).toEqual([]);
});

test.each<[string, Built, RegExp]>([
  ['a controller runs', pod('kube-system/kube-ovn-controller-0'), /kube-ovn-controller runs/],
  [
    'a controller is to run',
    object('Deployment', 'kube-system/kube-ovn-controller', { spec: { replicas: 0 } }),
    /kube-ovn-controller runs/,
  ],
  ['a chassis holds a port up', port('web-0.shop', { up: true }), /ports of Kube-OVN up/],
  ['a pod that it addressed lives', pod('shop/web-0', ADDRESSED), /pods live there/],
  ['a Subnet is not being deleted', object('Subnet', 'join'), /Subnet join is there/],
  ['a Vpc is not being deleted', object('Vpc', 'tenant'), /Vpc tenant is there/],
])('it is refused where %s', (_, sign, says) => {
  const { engine, found } = held([sign]);
  expect(engine.pairing()).toMatchObject({
    is: expect.not.stringMatching('^paired'),
    bySaying: false,
  });
  expect(engine.refusedStatement()).toMatch(says);
  expect(found()).toEqual([]);
});

test('it is refused where addresses disagree, though more agree', () => {
  const nodes = (names: string, more: object): readonly Built[] =>
    [...names].flatMap((it) => pairedNode(it, { up: false, ...more }));
  const { engine, found } = held([
    ...nodes('abcde', {}),
    ...nodes('xyz', { portMac: '0a:58:64:40:00:99' }),
  ]);
  expect(engine.pairing()).toMatchObject({ is: 'unknown', bySaying: false });
  expect(engine.refusedStatement()).toMatch(/too many pods and nodes/);
  expect(found()).toEqual([]);
});

test.each(['Deployment', 'StatefulSet', 'Vpc', 'Subnet'])(
  'it is refused where not every %s was listed',
  (kind) => expect(held([], [SAID], kind).engine.refusedStatement()).toMatch(new RegExp(kind)),
);

test('what is somebody else’s is left alone under it', () => {
  const hand = port('byhand.shop', {
    external_ids: {},
    addresses: ['0a:00:00:00:00:07 10.17.0.7'],
  });
  const neutron = port('vm.shop', {
    external_ids: { vendor: 'kube-ovn', 'neutron:port_name': 'vm' },
    addresses: ['0a:00:00:00:00:08 10.17.0.8'],
  });
  const { engine, found } = held([hand, neutron]);
  expect(found()).toHaveLength(1);
  expect(engine.findings().map((it) => it.subject.uid)).not.toContain(hand.uid);
  expect(engine.findings().map((it) => it.subject.uid)).not.toContain(neutron.uid);
});

test.each<[string, Built]>([
  ['a controller', pod('kube-system/kube-ovn-controller-0')],
  ['a Subnet', object('Subnet', 'join')],
  ['a pod', pod('shop/web-9', ADDRESSED)],
])('what was found is doubted as soon as %s appears, and found again when it goes', (_, sign) => {
  const { engine, history, found } = held();
  const doubts = (): number =>
    engine.unknowns().filter((it) => it.subject?.uid === orphan.uid).length;
  expect([found().length, doubts()]).toEqual([1, 0]);
  engine.apply([history.put(sign)], UNCHECKED);
  expect(doubts()).toBe(1);
  engine.apply(history.remove(sign), UNCHECKED);
  expect([found().length, doubts()]).toEqual([1, 0]);
});

test('another kube-system under the same name is another cluster', () => {
  const { engine, history } = held();
  const before = LEFT[1]!;
  engine.apply(
    [...history.remove(before), history.put(object('Namespace', 'kube-system', { uid: 'new' }))],
    UNCHECKED,
  );
  expect(engine.pairing().is).toBe('unknown');
  expect(engine.unknowns().some((it) => it.subject?.uid === orphan.uid)).toBe(true);
});

test('it is refused as soon as one node has another MAC than its port, though too few do to show more', () => {
  const given = { mac: '00:50:56:00:00:01', up: false };
  const [other, itsPort] = pairedNode('c', { ...given, portMac: '00:50:56:00:00:02' }) as [
    Built,
    Built,
  ];
  const things = [...pairedNode('a', given), ...pairedNode('b', given), itsPort];
  const { engine, history, found } = held(things);
  expect(found()).toEqual(['orphaned-logical-switch-port']);
  const before = held(things, []).engine.pairing().reason;
  engine.apply([history.put(other)], UNCHECKED);
  expect(engine.pairing()).toMatchObject({ is: 'unknown', reason: before });
  expect(engine.unknowns().map(({ subject, reason }) => [subject?.uid, reason])).toContainEqual([
    orphan.uid,
    before,
  ]);
});
