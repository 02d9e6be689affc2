import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Objects, Thing } from '../../incidents/actor/objects';
import type { Shell } from '../../support/shell';
import { audited } from '../audited';
import { ownerOf, pod, subnet, WORKERS } from '../cluster';
import { gone } from '../gateways';
import type { Rig } from '../rig';
import { controllerDeployment, releaseMissing } from './controller-deployment';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

const NAMESPACE = 'shop';
const LAN = { kind: 'Subnet', metadata: { name: 'lan' } };
const DEFINITION: Thing = {
  kind: 'NetworkAttachmentDefinition',
  metadata: { namespace: NAMESPACE, name: 'lan' },
  spec: {
    config: JSON.stringify({
      ...{ cniVersion: '0.3.1', type: 'kube-ovn', provider: 'lan.shop.ovn' },
      server_socket: '/run/openvswitch/kube-ovn-daemon.sock',
    }),
  },
};

/** Machines on the pod network and, once or twice, on the other; with their interfaces there. */
const MACHINES: Readonly<Record<string, readonly string[]>> = {
  'vm-once': ['pod1a'],
  'vm-twice': ['pod2a', 'pod2b'],
};

const machineOf = (name: string): Thing => ({
  kind: 'VirtualMachine',
  metadata: { namespace: NAMESPACE, name },
  spec: {
    runStrategy: 'Halted',
    template: {
      metadata: {},
      spec: {
        domain: {},
        networks: [
          { name: 'default', pod: {} },
          ...MACHINES[name]!.map((it) => ({ name: it, multus: { networkName: 'shop/lan' } })),
        ],
      },
    },
  },
});

const requestOf = (name: string): string =>
  JSON.stringify(
    MACHINES[name]!.map((it) => ({ name: 'lan', namespace: NAMESPACE, interface: it })),
  );

const isAllocated = ({ metadata: { annotations = {} } }: Thing): boolean =>
  ['ovn', 'lan.shop.ovn'].every((of) =>
    Object.entries(annotations).some(
      ([key, value]) =>
        key.startsWith(of) && key.endsWith('.kubernetes.io/allocated') && value === 'true',
    ),
  );

const instanceOf = (name: string) => ({
  kind: 'VirtualMachineInstance',
  metadata: { namespace: NAMESPACE, name },
});

/** Lets a machine run, as KubeVirt does. Gives its launcher pod. */
async function run(objects: Objects, name: string): Promise<Thing> {
  await objects.create(machineOf(name));
  const made = await objects.create({ ...instanceOf(name), spec: {} });
  const launcher = pod(NAMESPACE, `virt-launcher-${name}-x`, WORKERS[0], {
    annotations: { 'k8s.v1.cni.cncf.io/networks': requestOf(name) },
    ownerReferences: [{ ...ownerOf(made), apiVersion: 'kubevirt.io/v1' } as never],
  });
  await objects.create(launcher);
  await waitFor(
    async () => {
      const is = await objects.get('Pod', launcher.metadata.name, NAMESPACE);
      return is !== undefined && isAllocated(is);
    },
    { what: `launcher of ${name} to have its addresses`, timeoutMs: 60_000 },
  );
  return launcher;
}

/** The ports of the machines on the other network. */
async function portsOf({ nbctl }: Rig): Promise<readonly string[]> {
  const text = await nbctl('--bare', '--columns=name', 'list', 'Logical_Switch_Port');
  return text.split('\n').filter((it) => /^vm-(?:once|twice)\.shop\.lan\./.test(it));
}

/** What the rule says of each machine's ports. */
async function saidBy(shell: Shell): Promise<string> {
  const { findings } = await audited(shell);
  const found = findings.filter(({ rule }) => rule === 'machine-ports-at-risk');
  return found.map(({ summary }) => summary).join('; ');
}

/** Removes the machines and the network, with all their addresses. */
async function clear({ objects }: Rig): Promise<void> {
  await objects.remove(controllerDeployment());
  for (const name of Object.keys(MACHINES)) await objects.remove(machineOf(name));
  for (const { metadata } of await objects.list('IP'))
    if (/^vm-(?:once|twice)\.shop/.test(metadata.name)) {
      await objects.remove({ kind: 'IP', metadata: { name: metadata.name } });
      await gone(objects, { kind: 'IP', metadata });
    }
  await objects.remove(LAN);
  await gone(objects, LAN);
  await objects.remove(DEFINITION);
}

export const machinePorts: Scenario = {
  name: 'machine-ports',
  about:
    'Of the ports of machines on another network, exactly those go when the machines stop that the finding about the release names before.',
  missing: releaseMissing,
  async run({ rig, healthy, shell, measured }) {
    const { objects } = rig;
    const it = shell(AT_ONCE);
    await rig.restartController(0);
    await objects.create(DEFINITION);
    await objects.create(subnet('lan', '10.62.0.0/24', { provider: 'lan.shop.ovn' }));
    const launchers: Thing[] = [];
    for (const name of Object.keys(MACHINES)) launchers.push(await run(objects, name));
    await objects.create(controllerDeployment());
    const before = await portsOf(rig);
    const running = await saidBy(it);
    for (const name of Object.keys(MACHINES)) await objects.remove(instanceOf(name));
    for (const launcher of launchers) await objects.remove(launcher, true);
    const said = [running, await saidBy(it)].join('; ');
    it.close();
    await rig.restartController(COLLECTS_EVERY);
    const doomed = before.filter((port) => said.includes(port));
    const wrong: string[] = before.length >= 2 ? [] : [`ports before: ${before.join(', ')}`];
    await waitFor(async () => !(await portsOf(rig)).some((port) => doomed.includes(port)), {
      what: `ports to be collected: ${doomed.join(', ')}`,
      timeoutMs: 60_000,
    }).catch((error: unknown) => wrong.push(`accused: ${String(error)}: ${said}`));
    // It collects twice at its start.
    await rig.restartController(COLLECTS_EVERY);
    const left = await portsOf(rig);
    const taken = before.filter((port) => !left.includes(port));
    measured('ports of machines taken', taken.length);
    wrong.push(
      ...taken
        .filter((port) => !doomed.includes(port))
        .map((port) => `not found: ${port}: ${said}`),
    );
    await clear(rig);
    wrong.push(...(await settles(rig, healthy, 'without the machines')));
    return wrong;
  },
};
