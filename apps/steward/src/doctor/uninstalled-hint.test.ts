import type { Systems } from '@ovn-steward/systems/systems';
import { createEngine } from '@ovn-steward/judgement/create-engine';
import type { Built } from '@ovn-steward/judgement/testing/builders';
import { object, pairedNode, port } from '@ovn-steward/judgement/testing/builders';
import { History } from '@ovn-steward/judgement/testing/history';
import { NO_GRACE } from '@ovn-steward/judgement/testing/grace';
import { uninstalledHint } from './uninstalled-hint';

const NB = 'nb:5d02d3d0-9a3c-4ee1-a0cb-9c6e1b7f3a54';
const UID = '0f6f7a3e-33c5-4f6b-8a3e-6f6f0c4f2d11';
const systems = {
  northbound: { identity: () => Promise.resolve(NB) },
  kubernetes: { identity: () => Promise.resolve(UID) },
} as unknown as Systems;

function hint(things: readonly Built[]): Promise<string | undefined> {
  const engine = createEngine({ cluster: 'test', grace: NO_GRACE });
  const history = new History();
  engine.apply([...history.listNothingMore(), ...things.map((it) => history.put(it))], {
    checked: false,
  });
  return uninstalledHint(engine, systems, new AbortController().signal);
}

test('where nothing shows the pair and nothing is alive, it names the pair to state', async () =>
  expect(await hint([])).toMatch(new RegExp(`--uninstalled ${NB}/${UID}$`)));

test.each<[string, readonly Built[]]>([
  ['both are shown to be one cluster', pairedNode()],
  ['both are shown to be two', pairedNode('a', { portMac: '0a:58:64:40:00:99', up: false })],
  ['a port is up', [port('web-0.shop', { up: true })]],
  ['a Subnet is not being deleted', [object('Subnet', 'apps')]],
])('there is none where %s', async (_, things) => expect(await hint(things)).toBeUndefined());
