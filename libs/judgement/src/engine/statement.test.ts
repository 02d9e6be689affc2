import { createEngine } from '../create-engine';
import { logicalSwitch, object, pairedNode, port, row } from '../testing/builders';
import { History } from '../testing/history';
import type { Engine } from './engine';
import { NO_GRACE } from '../testing/grace';

const NB = '5d02d3d0-9a3c-4ee1-a0cb-9c6e1b7f3a54';
const UID = '0f6f7a3e-33c5-4f6b-8a3e-6f6f0c4f2d11';
const SAID = `nb:${NB}/${UID}`;

/** A network after an uninstall, with the port of a node where that is given. */
function reported(uninstalled: readonly string[], nodePort = false): Engine {
  const engine = createEngine({ cluster: 'test', grace: NO_GRACE, uninstalled });
  const history = new History();
  const left = [
    row('NB_Global', '', { uid: NB }),
    object('Namespace', 'kube-system', { uid: UID }),
    logicalSwitch(),
    port('lost-0.shop'),
    ...(nodePort ? pairedNode() : pairedNode().slice(0, 1)),
  ];
  engine.apply(
    [...history.listNothingMore(), ...left.map((it) => history.put(it)), ...history.heartbeats(0)],
    { checked: false },
  );
  return engine;
}

test('a statement about this pair stands where nothing else speaks', () => {
  expect(reported([]).pairing()).toMatchObject({ is: 'unknown', bySaying: false });
  const engine = reported([SAID]);
  expect(engine.pairing()).toMatchObject({ is: 'paired', bySaying: true });
  expect(engine.refusedStatement()).toBeUndefined();
});

test('one about another pair is refused as such', () =>
  expect(reported([SAID.replace('nb:5', 'nb:6')]).refusedStatement()).toMatch(
    /^it is about nb:6.*and this is another pair$/,
  ));

test('one about a network that is in use is refused, though both are shown to be one cluster', () => {
  const engine = reported([SAID], true);
  expect(engine.pairing()).toMatchObject({ is: 'paired', bySaying: false });
  expect(engine.refusedStatement()).toBe('chassis hold ports of Kube-OVN up');
});
