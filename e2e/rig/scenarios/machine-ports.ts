import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Objects, Thing } from '../../incidents/actor/objects';
import type { Shell } from '../../support/shell';
import { audited } from '../audited';
import type { Rig } from '../rig';
import { controllerDeployment, releaseMissing } from './controller-deployment';
import {
  addLan,
  addMachine,
  type Machine,
  recordsOf,
  removeMachines,
  start,
  stop,
} from './machines';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

/** Two interfaces too, and its addresses are reserved. */
const RESERVED: Machine = { name: 'vm-kept', interfaces: ['pod3a', 'pod3b'] };
const MACHINES: readonly Machine[] = [
  { name: 'vm-once', interfaces: ['pod1a'] },
  { name: 'vm-twice', interfaces: ['pod2a', 'pod2b'] },
  RESERVED,
];

/** Says that the addresses of a machine are to be kept for it. */
async function reserve(objects: Objects, machine: Machine): Promise<void> {
  for (const record of await recordsOf(objects, machine)) {
    const labels = { ...record.metadata.labels, 'ovn.kubernetes.io/ip_reserved': 'true' };
    if (!(await objects.write({ ...record, metadata: { ...record.metadata, labels } })))
      throw new Error(`IP ${record.metadata.name} could not be reserved`);
  }
}

/** Its records with their addresses, a line each. */
const addressesOf = async (objects: Objects, machine: Machine): Promise<readonly string[]> =>
  (await recordsOf(objects, machine))
    .map(({ metadata, spec }: Thing) => `${metadata.name} ${String(spec?.['v4IpAddress'])}`)
    .sort();

/** The ports of the machines on the other network. */
async function portsOf({ nbctl }: Rig): Promise<readonly string[]> {
  const text = await nbctl('--bare', '--columns=name', 'list', 'Logical_Switch_Port');
  return text
    .split('\n')
    .filter((it) => MACHINES.some(({ name }) => it.startsWith(`${name}.shop.lan.`)));
}

/** What the rule says of each machine's ports. */
async function saidBy(shell: Shell): Promise<string> {
  const { findings } = await audited(shell);
  const found = findings.filter(({ rule }) => rule === 'machine-ports-at-risk');
  return found.map(({ summary }) => summary).join('; ');
}

/** A machine whose addresses were reserved has them again when it starts, and its ports. */
async function startsAgain(
  rig: Rig,
  ports: readonly string[],
  addresses: readonly string[],
): Promise<readonly string[]> {
  const { objects } = rig;
  const kept = await addressesOf(objects, RESERVED);
  await start(objects, RESERVED);
  const after = await addressesOf(objects, RESERVED);
  const there = await portsOf(rig);
  await stop(objects, RESERVED);
  return [
    ...(kept.join() === addresses.join() ? [] : [`reserved, and kept is ${kept.join(', ')}`]),
    ...(after.join() === addresses.join() ? [] : [`reserved, and then has ${after.join(', ')}`]),
    ...ports
      .filter((it) => isReserved(it) && !there.includes(it))
      .map((it) => `not made again: ${it}`),
  ];
}

export const machinePorts: Scenario = {
  name: 'machine-ports',
  about:
    'Of the ports of machines on another network, exactly those go when the machines stop that the finding about the release names before; a reservation keeps the addresses, and the next start makes the ports again.',
  missing: releaseMissing,
  async run({ rig, healthy, shell, measured }) {
    const { objects } = rig;
    const opened = shell(AT_ONCE);
    await rig.restartController(0);
    await addLan(objects);
    for (const machine of MACHINES) {
      await addMachine(objects, machine);
      await start(objects, machine);
    }
    await reserve(objects, RESERVED);
    const addresses = await addressesOf(objects, RESERVED);
    await objects.create(controllerDeployment());
    const before = await portsOf(rig);
    const running = await saidBy(opened);
    for (const machine of MACHINES) await stop(objects, machine);
    const said = [running, await saidBy(opened)].join('; ');
    opened.close();
    await rig.restartController(COLLECTS_EVERY);
    const doomed = before.filter((port) => said.includes(port));
    const wrong: string[] = before.length >= 3 ? [] : [`ports before: ${before.join(', ')}`];
    await waitFor(async () => !(await portsOf(rig)).some((port) => doomed.includes(port)), {
      what: `ports to be collected: ${doomed.join(', ')}`,
      timeoutMs: 60_000,
    }).catch((error: unknown) => wrong.push(`accused: ${String(error)}: ${said}`));
    // It collects twice at its start.
    await rig.restartController(COLLECTS_EVERY);
    const left = await portsOf(rig);
    const taken = before.filter((port) => !left.includes(port));
    measured('ports of machines taken', taken.length);
    measured('of them with a reserved address', taken.filter(isReserved).length);
    wrong.push(
      ...taken
        .filter((port) => !doomed.includes(port))
        .map((port) => `not found: ${port}: ${said}`),
      ...(await startsAgain(rig, before, addresses)),
    );
    await objects.remove(controllerDeployment());
    await removeMachines(objects, MACHINES);
    wrong.push(...(await settles(rig, healthy, 'without the machines')));
    return wrong;
  },
};

const isReserved = (port: string): boolean => port.startsWith(`${RESERVED.name}.`);
