import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { audited, saying } from '../audited';
import { plant } from '../faults';
import { type Neutron, neutronObstacle, startNeutron } from '../neutron';
import { differences, type NetworkState, networkState } from '../network-state';
import type { Rig } from '../rig';
import type { Shell } from '../../support/shell';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';
import { untaggedIn } from './untagged';

/** How long Neutron's maintenance gets to make again what was taken. */
const MADE_AGAIN_MS = 60_000;

/**
 * A tenant: two networks behind a router, machines with a group of rules and a limit, one with an
 * address outside.
 */
async function addTenant(neutron: Neutron): Promise<void> {
  const { create, put } = neutron;
  const outside = await create('networks', 'network', {
    name: 'public',
    'router:external': true,
    'provider:network_type': 'flat',
    'provider:physical_network': 'physnet1',
  });
  await create('subnets', 'subnet', {
    network_id: outside.id,
    ip_version: 4,
    cidr: '192.0.2.0/24',
    enable_dhcp: false,
  });
  const router = await create('routers', 'router', {
    name: 'r1',
    external_gateway_info: { network_id: outside.id },
  });
  const group = await create('security-groups', 'security_group', { name: 'web' });
  await create('security-group-rules', 'security_group_rule', {
    security_group_id: group.id,
    direction: 'ingress',
    protocol: 'tcp',
    port_range_min: 80,
    port_range_max: 80,
    remote_ip_prefix: '0.0.0.0/0',
  });
  for (const nth of [1, 2]) {
    const network = await create('networks', 'network', { name: `tenant${nth}` });
    const subnet = await create('subnets', 'subnet', {
      network_id: network.id,
      ip_version: 4,
      cidr: `10.20${nth}.0.0/24`,
    });
    await put(`routers/${router.id}/add_router_interface`, { subnet_id: subnet.id });
    for (const machine of [1, 2, 3]) {
      const port = await create('ports', 'port', {
        network_id: network.id,
        name: `vm${nth}-${machine}`,
        device_id: `vm${machine}`,
        device_owner: 'compute:nova',
        security_groups: [group.id],
      });
      if (machine === 1)
        await create('floatingips', 'floatingip', {
          floating_network_id: outside.id,
          port_id: port.id,
        });
    }
  }
}

/** What an audit would remove, of rows that are not these. */
async function accusedBeside(shell: Shell, names: ReadonlySet<string>): Promise<readonly string[]> {
  const { findings } = await audited(shell);
  return findings
    .filter((found) => ['garbage', 'leak'].includes(found.class) && !names.has(found.subject.name))
    .map((found) => `accused: ${saying(found)}`);
}

/**
 * Some releases make a Vpc of each router that is not theirs, and balancers for it: they live while
 * the router does.
 */
const isOfAdopted = (line: string): boolean =>
  /\bleft: Load_Balancer vpc-neutron-\S+-load$/.test(line);

/** What is dead of Kube-OVN's is removed by itself, and nothing of Neutron's. */
async function enforcing(
  { rig, shell }: Parameters<Scenario['run']>[0],
  shared: NetworkState,
): Promise<readonly string[]> {
  const planted = await plant(rig);
  const lost = await planted.lose();
  const isUntagged = await untaggedIn(rig, lost);
  await rig.restartController(0);
  const reading = shell(AT_ONCE);
  const wrong = [...(await accusedBeside(reading, new Set(lost.map((it) => it.name))))];
  reading.close();
  const opened = shell({ ...AT_ONCE, executor: { ...AT_ONCE.executor, mode: 'enforce' } });
  const beside = opened.runBeside('steward run --output ndjson');
  await waitFor(
    async () =>
      differences(shared, await networkState(rig)).every(
        (one) => !one.startsWith('left') || isUntagged(one) || isOfAdopted(one),
      ),
    { what: 'all that is dead to be removed', timeoutMs: 480_000 },
  ).catch(() => undefined);
  // Whatever else it would remove.
  await sleep(10_000);
  await beside.stop();
  opened.close();
  return [
    ...wrong,
    ...(await settles(rig, shared, 'enforced', 5_000)).filter(
      (one) => !isUntagged(one) && !isOfAdopted(one),
    ),
  ];
}

/**
 * The controller's collection takes what Neutron has; it comes back whole beside a Neutron that
 * makes some of it again.
 */
async function taken(
  { rig, shell, measured }: Parameters<Scenario['run']>[0],
  shared: NetworkState,
): Promise<readonly string[]> {
  const opened = shell();
  await opened.run('steward backup --out before.db');
  await rig.restartController(COLLECTS_EVERY);
  const lost = differences(shared, await networkState(rig)).filter((one) => one.startsWith('lost'));
  measured('rows of Neutron that the controller took', lost.length);
  await rig.restartController(0);
  let fewest = lost.length;
  await waitFor(
    async () => {
      const now = differences(shared, await networkState(rig));
      return (fewest = now.filter((one) => one.startsWith('lost')).length) < lost.length;
    },
    { what: 'Neutron to make some of it again', timeoutMs: MADE_AGAIN_MS },
  ).catch(() => undefined);
  measured('rows that Neutron made again by itself', lost.length - fewest);
  const restored = await opened.run('steward restore before.db --owner neutron --yes');
  opened.close();
  return [
    ...(restored.code === 0 ? [] : [`restore ended with ${restored.code}: ${restored.stdout}`]),
    ...(await settles(rig, shared, 'restored beside Neutron', 30_000)).filter(
      (one) => !isOfAdopted(one),
    ),
  ];
}

/** How a row of each table is removed; the others go with these. */
const REMOVE: Readonly<Record<string, readonly string[]>> = {
  Logical_Switch: ['ls-del'],
  Logical_Router: ['lr-del'],
  Load_Balancer: ['lb-del'],
  Port_Group: ['--if-exists', 'destroy', 'Port_Group'],
  Address_Set: ['--if-exists', 'destroy', 'Address_Set'],
};

/** Takes whatever is there and was not before. */
async function removeRest({ nbctl, objects }: Rig, left: readonly string[]): Promise<void> {
  for (const line of left) {
    const [, table = '', name = ''] = /^left: (\S+) (.*)$/.exec(line) ?? [];
    // Some releases make a Vpc of each router that is not theirs.
    if (table === 'Vpc') await objects.remove({ kind: 'Vpc', metadata: { name } });
    if (!Object.hasOwn(REMOVE, table)) continue;
    const uuids = await nbctl('--bare', '--columns=_uuid', 'find', table, `name="${name}"`);
    for (const uuid of uuids.split('\n').filter((it) => it !== ''))
      await nbctl(...REMOVE[table]!, uuid);
  }
}

export const neutron: Scenario = {
  name: 'neutron',
  about:
    'Beside a Neutron at work in the same Northbound, what is dead of Kube-OVN’s is removed and nothing of Neutron’s; what the controller takes of it comes back whole with `steward restore`.',
  missing: neutronObstacle,
  async run(stage) {
    const { rig, healthy } = stage;
    const living = await startNeutron(rig.remotes);
    const wrong: string[] = [];
    try {
      await addTenant(living);
      const shared = await networkState(rig);
      wrong.push(...differences(healthy, shared).filter((one) => !one.startsWith('left')));
      wrong.push(...(await enforcing(stage, shared)));
      wrong.push(...(await taken(stage, shared)));
    } finally {
      await living.stop();
    }
    await rig.restartController(COLLECTS_EVERY);
    await removeRest(rig, differences(healthy, await networkState(rig)));
    wrong.push(...(await settles(rig, healthy, 'without Neutron')));
    return wrong;
  },
};
