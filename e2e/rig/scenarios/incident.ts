import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { releaseGiven } from '../provided';
import { networkState } from '../network-state';
import type { Rig } from '../rig';
import { COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

const NET = '8f3a1c2e-0b5d-4e6f-9a7b-1c2d3e4f5a6b';
const SWITCH = `neutron-${NET}`;
const ROUTER = 'neutron-0d9f1a52-7c4e-4a2b-8a53-6f1b2c3d4e5f';
const PORTS = ['1b2c3d4e-0000-4000-8000-00000000000a', '1b2c3d4e-0000-4000-8000-00000000000b'];

interface Found {
  readonly rule: string;
  readonly state: string;
  readonly confirmedAt?: string | null;
}

export const incident: Scenario = {
  name: 'incident',
  about:
    'The controller takes what Neutron has at its start: each loss is confirmed before its collection is over, stays found, and comes back whole with `steward restore`.',
  missing: () =>
    /^v1\.1[23]\./.test(releaseGiven())
      ? `${releaseGiven()} takes no switch of others when it starts`
      : undefined,
  async run({ rig, healthy, shell, measured }) {
    const opened = shell();
    const wrong: string[] = [];
    await rig.restartController();
    await addNeighbour(rig);
    const shared = await networkState(rig);
    await opened.run('steward backup --out before.db');
    const beside = opened.runBeside('steward run --output ndjson');
    await sleep(20_000); // until it has read everything
    const starting = rig.restartController(COLLECTS_EVERY);
    await waitFor(async () => !(await switches(rig)).includes(SWITCH), {
      what: 'the controller to take the switch',
      timeoutMs: 120_000,
    });
    const lost = Date.now();
    await starting;
    const over = Date.now();
    await sleep(15_000);
    const ended = await beside.stop();
    const found = ended.stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Found)
      .filter(({ rule }) => rule === 'neighbour-damaged');
    const confirmed = found
      .filter(({ state }) => state === 'confirmed')
      .map(({ confirmedAt }) => Date.parse(confirmedAt ?? ''));
    const first = Math.min(...confirmed);
    if (confirmed.length === 0) wrong.push('no damage was confirmed');
    else measured('seconds from the loss of the switch to its confirmation', (first - lost) / 1000);
    measured(
      'seconds from the loss of the switch to the end of the collection',
      (over - lost) / 1000,
    );
    if (found.some(({ state }) => state === 'resolved'))
      wrong.push('damage was called resolved while nothing was back');

    await rig.restartController(0);
    const restored = await opened.run('steward restore before.db --owner neutron --yes');
    if (restored.code !== 0)
      wrong.push(`restore ended with ${restored.code}: ${restored.stdout}${restored.stderr}`);
    wrong.push(...(await settles(rig, shared, 'restored', 20_000)));
    await removeNeighbour(rig);
    wrong.push(...(await settles(rig, healthy, 'without the neighbour', 20_000)));
    opened.close();
    return wrong;
  },
};

const switches = async ({ nbctl }: Rig): Promise<string> =>
  nbctl('--bare', '--columns=name', 'list', 'Logical_Switch');

/** A network of Neutron's with two machines, their router, and the group of both. */
async function addNeighbour({ nbctl }: Rig): Promise<void> {
  const keys = (...ids: readonly string[]) => ids.map((it) => `external_ids:${it}`);
  const add = (...words: readonly string[]) => nbctl(...words);
  await add('ls-add', SWITCH);
  const named = ['neutron\\:network_name=net', 'neutron\\:revision_number=2', 'neutron\\:mtu=1442'];
  await add('set', 'Logical_Switch', SWITCH, ...keys(...named));
  for (const [nth, port] of PORTS.entries()) {
    await add('lsp-add', SWITCH, port);
    await add('lsp-set-addresses', port, `fa:16:3e:00:00:0${nth} 192.168.50.1${nth}`);
    const ids = [
      'neutron\\:device_owner=compute:nova',
      `neutron\\:network_name=${SWITCH}`,
      'neutron\\:revision_number=4',
    ];
    await add('set', 'Logical_Switch_Port', port, ...keys(...ids));
  }
  await add('lr-add', ROUTER);
  const ofRouter = ['neutron\\:router_name=r', 'neutron\\:revision_number=3'];
  await add('set', 'Logical_Router', ROUTER, ...keys(...ofRouter));
  await add('lrp-add', ROUTER, 'lrp-neutron', 'fa:16:3e:00:00:0f', '192.168.50.1/24');
}

/** All of it goes, as its owner would take it. */
async function removeNeighbour({ nbctl }: Rig): Promise<void> {
  await nbctl('lr-del', ROUTER);
  await nbctl('ls-del', SWITCH);
}
