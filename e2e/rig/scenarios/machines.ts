import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Objects, Thing } from '../../incidents/actor/objects';
import { ownerOf, pod, subnet, WORKERS } from '../cluster';
import { gone } from '../gateways';

export const NAMESPACE = 'shop';
const LAN = { kind: 'Subnet', metadata: { name: 'lan' } };
const PROVIDER = 'lan.shop.ovn';
const DEFINITION: Thing = {
  kind: 'NetworkAttachmentDefinition',
  metadata: { namespace: NAMESPACE, name: 'lan' },
  spec: {
    config: JSON.stringify({
      cniVersion: '0.3.1',
      type: 'kube-ovn',
      provider: PROVIDER,
      server_socket: '/run/openvswitch/kube-ovn-daemon.sock',
    }),
  },
};

/** A machine on the pod network and, once or several times, on the other. */
export interface Machine {
  readonly name: string;
  /** On the other network. */
  readonly interfaces: readonly string[];
}

const machineOf = ({ name, interfaces }: Machine): Thing => ({
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
          ...interfaces.map((it) => ({ name: it, multus: { networkName: 'shop/lan' } })),
        ],
      },
    },
  },
});

const requestOf = ({ interfaces }: Machine): string =>
  JSON.stringify(interfaces.map((it) => ({ name: 'lan', namespace: NAMESPACE, interface: it })));

const isAllocated = ({ metadata: { annotations = {} } }: Thing): boolean =>
  ['ovn', PROVIDER].every((of) =>
    Object.entries(annotations).some(
      ([key, value]) =>
        key.startsWith(of) && key.endsWith('.kubernetes.io/allocated') && value === 'true',
    ),
  );

export const instanceOf = ({ name }: Machine) => ({
  kind: 'VirtualMachineInstance',
  metadata: { namespace: NAMESPACE, name },
});

export const launcherOf = ({ name }: Machine, nth = 'x') => ({
  kind: 'Pod',
  metadata: { namespace: NAMESPACE, name: `virt-launcher-${name}-${nth}` },
});

/** The other network. */
export async function addLan(objects: Objects): Promise<void> {
  await objects.create(DEFINITION);
  await objects.create(subnet('lan', '10.62.0.0/24', { provider: PROVIDER }));
}

export const addMachine = (objects: Objects, machine: Machine): Promise<Thing> =>
  objects.create(machineOf(machine));

/** A launcher pod of a machine, once it has its addresses. */
export async function launch(
  objects: Objects,
  machine: Machine,
  instance: Thing,
  { nth = 'x', node = WORKERS[0] as string, labels = {} as Record<string, string> } = {},
): Promise<Thing> {
  const { metadata } = launcherOf(machine, nth);
  await objects.create(
    pod(NAMESPACE, metadata.name, node, {
      labels,
      annotations: { 'k8s.v1.cni.cncf.io/networks': requestOf(machine) },
      ownerReferences: [{ ...ownerOf(instance), apiVersion: 'kubevirt.io/v1' } as never],
    }),
  );
  return waitFor(
    async () => {
      const is = await objects.get('Pod', metadata.name, NAMESPACE);
      return is !== undefined && isAllocated(is) && { ...is, kind: 'Pod' };
    },
    { what: `${metadata.name} to have its addresses`, timeoutMs: 60_000 },
  );
}

/** Lets a machine run, as KubeVirt does. Gives its instance. */
export async function start(objects: Objects, machine: Machine): Promise<Thing> {
  const instance = await objects.create({ ...instanceOf(machine), spec: {} });
  await launch(objects, machine, instance);
  return instance;
}

/** Stops it: its launcher pod goes. */
export async function stop(objects: Objects, machine: Machine): Promise<void> {
  await objects.remove(instanceOf(machine));
  await objects.remove(launcherOf(machine), true);
}

/** Its address records, on both networks. */
export const recordsOf = async (objects: Objects, { name }: Machine): Promise<readonly Thing[]> =>
  (await objects.list('IP')).filter(({ metadata }) => metadata.name.startsWith(`${name}.shop`));

/** Removes machines and the network, with all their addresses. */
export async function removeMachines(
  objects: Objects,
  machines: readonly Machine[],
): Promise<void> {
  for (const machine of machines) {
    await objects.remove(machineOf(machine));
    for (const record of await recordsOf(objects, machine)) {
      await objects.remove(record);
      await gone(objects, record);
    }
  }
  await objects.remove(LAN);
  await gone(objects, LAN);
  await objects.remove(DEFINITION);
}
