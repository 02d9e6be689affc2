import { createEngine } from '../create-engine';
import { logicalSwitch, object, port, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { History } from '../testing/history';

const GRACE = { garbage: 0, leak: 0, drift: 0, stuck: 0, misplaced: 0, missing: 0, damage: 0 };
const UNCHECKED = { checked: false };

const orphan = port();
const nodePort = (node: string, columns = {}) =>
  port(`node-${node}`, {
    external_ids: { vendor: 'kube-ovn', ls: 'join' },
    up: true,
    ls: 'join',
    addresses: [],
    ...columns,
  });
const subnet = object('Subnet', 'apps');

/** What is said of one orphaned port, beside these things. */
function said(...things: readonly Built[]) {
  const history = new History();
  const engine = createEngine({ cluster: 'test', grace: GRACE });
  const all = [logicalSwitch(), logicalSwitch('join'), orphan, ...things];
  engine.apply(
    [...history.listEverything(), ...all.map((it) => history.put(it)), ...history.heartbeats(0)],
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
  return { engine, history, outcome };
}

test.each<[string, readonly Built[]]>([
  ['no port is up', [subnet]],
  [
    'a node whose port is up is here',
    [subnet, nodePort('worker-1'), nodePort('worker-9'), object('Node', 'worker-1')],
  ],
  ['the port of a node that is gone is down', [subnet, nodePort('worker-9', { up: false })]],
  [
    "the port of somebody else's is up",
    [
      subnet,
      row('Logical_Switch_Port', 'node-x', {
        up: true,
        external_ids: { 'neutron:port_name': 'x' },
      }),
    ],
  ],
])('what has no owner is garbage while %s', (_, things) =>
  expect(said(...things).outcome()).toEqual(['orphaned-logical-switch-port']),
);

test.each<[string, readonly Built[], RegExp]>([
  [
    'all nodes whose ports are up are unknown',
    [subnet, nodePort('worker-1'), nodePort('worker-2'), object('Node', 'another')],
    /the ports of 2 nodes up, none of which this Kubernetes has/,
  ],
  [
    'ports are up, and there is no network',
    [port('db-0.shop', { up: true, addresses: [] })],
    /no Vpc and no Subnet/,
  ],
])('nothing is garbage while %s', (_, things, reason) =>
  expect(said(...things).outcome()).toEqual([expect.stringMatching(reason)]),
);

test('it is looked at anew when such a node, such a port or a network comes or goes', () => {
  const { engine, history, outcome } = said(subnet, nodePort('worker-1'));
  const after = (...changes: Parameters<typeof engine.apply>[0][number][]) => {
    engine.apply(changes, UNCHECKED);
    return outcome();
  };
  const found = ['orphaned-logical-switch-port'];
  expect(after()).not.toEqual(found);
  expect(after(history.put(object('Node', 'worker-1')))).toEqual(found);
  expect(after(...history.remove(object('Node', 'worker-1')))).not.toEqual(found);
  expect(after(history.put(nodePort('worker-1', { up: false })))).toEqual(found);
  expect(after(...history.remove(subnet))).toEqual(found);
  expect(after(history.put(port('db-0.shop', { up: true, addresses: [] })))).not.toEqual(found);
  expect(after(history.put(object('Vpc', 'ovn-cluster')))).toEqual(found);
});
