import { createHash } from 'node:crypto';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Objects, Thing } from '../incidents/actor/objects';

export const WORKERS = ['worker-1', 'worker-2'] as const;
const NODES = ['cp-1', ...WORKERS];
/** A node that is not there until a scenario adds it. */
export const SPARE = 'worker-3';

/** A chassis of each node, always the same. */
export const CHASSIS: ReadonlyMap<string, string> = new Map(
  [...NODES, SPARE].map((node) => {
    const hex = createHash('sha256').update(node).digest('hex');
    return [
      node,
      `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    ];
  }),
);

/**
 * Nodes with their chassis, as kubelets and ovn-controllers of theirs would have registered them.
 * @param execPort where all their kubelets answer on this machine.
 */
export async function addNodes(
  objects: Objects,
  sbctl: (...words: string[]) => Promise<string>,
  execPort: number,
): Promise<void> {
  for (const node of NODES) await addNode(objects, sbctl, execPort, node);
}

/** One of those of which the chassis is known. */
export async function addNode(
  objects: Objects,
  sbctl: (...words: string[]) => Promise<string>,
  execPort: number,
  node: string,
): Promise<void> {
  const nth = [...CHASSIS.keys()].indexOf(node);
  const address = `192.168.10.${10 + nth}`;
  const chassis = CHASSIS.get(node)!;
  const made = await objects.create({
    kind: 'Node',
    metadata: {
      name: node,
      labels: { 'kubernetes.io/hostname': node, 'kubernetes.io/os': 'linux' },
      annotations: { 'ovn.kubernetes.io/chassis': chassis },
    },
  });
  await objects.writeStatus({
    ...made,
    status: {
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: node },
        { type: 'InternalDNS', address: 'localhost' },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: execPort } },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  });
  // At once: v1.12 deletes a chassis whose node it does not know (kube-ovn.md, row 7).
  const columns = [`hostname=${node}`, `external_ids:system-id=${chassis}`];
  await sbctl(
    'chassis-add',
    chassis,
    'geneve',
    address,
    '--',
    'set',
    'Chassis',
    chassis,
    ...columns,
  );
}

export const pod = (
  namespace: string,
  name: string,
  node: string,
  more: Partial<Thing['metadata']> = {},
): Thing => ({
  kind: 'Pod',
  metadata: { namespace, name, ...more, labels: { app: name.split('-')[0]!, ...more.labels } },
  spec: {
    nodeName: node,
    automountServiceAccountToken: false,
    containers: [{ name: 'main', image: 'registry.example/app:1.0' }],
  },
});

export const subnet = (
  name: string,
  cidrBlock: string,
  more: Readonly<Record<string, unknown>> = {},
): Thing => ({
  kind: 'Subnet',
  metadata: { name },
  spec: { cidrBlock, protocol: 'IPv4', vpc: 'ovn-cluster', ...more },
});

export const statefulSet = (namespace: string, name: string, replicas: number): Thing => ({
  kind: 'StatefulSet',
  metadata: { namespace, name },
  spec: {
    replicas,
    serviceName: name,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'registry.example/app:1.0' }] },
    },
  },
});

export const ownerOf = ({ kind, metadata: { name, uid } }: Thing) => ({
  apiVersion: 'apps/v1',
  kind,
  name,
  uid: uid!,
  controller: true,
});

/** Pods of a set, all of them addressed. */
export async function podsOf(objects: Objects, set: Thing): Promise<readonly Thing[]> {
  const { namespace, name } = set.metadata;
  const pods: Thing[] = [];
  for (let nth = 0; nth < Number(set.spec!['replicas']); nth += 1)
    pods.push(
      await addressed(
        objects,
        pod(namespace!, `${name}-${nth}`, WORKERS[nth % 2]!, { ownerReferences: [ownerOf(set)] }),
      ),
    );
  return pods;
}

/** Creates a pod and waits until Kube-OVN has given it an address. */
export async function addressed(objects: Objects, wanted: Thing): Promise<Thing> {
  await objects.create(wanted);
  const { namespace, name } = wanted.metadata;
  return waitFor(
    async () => {
      const found = await objects.get('Pod', name, namespace);
      return found?.metadata.annotations?.['ovn.kubernetes.io/allocated'] === 'true' && found;
    },
    { what: `pod ${namespace}/${name} to have an address`, timeoutMs: 60_000 },
  );
}

/** Its address in its default network. */
export const addressOf = ({ metadata }: Thing): string =>
  metadata.annotations?.['ovn.kubernetes.io/ip_address'] ?? '';

/** A machine of KubeVirt's that runs, with its launcher pod addressed. */
async function machine(objects: Objects, name: string, node: string): Promise<Thing> {
  const metadata = { namespace: 'shop', name };
  const template = { metadata: {}, spec: { domain: {}, networks: [{ name: 'default', pod: {} }] } };
  await objects.create({
    kind: 'VirtualMachine',
    metadata,
    spec: { runStrategy: 'Always', template },
  });
  const instance = await objects.create({ kind: 'VirtualMachineInstance', metadata, spec: {} });
  return addressed(
    objects,
    pod('shop', `virt-launcher-${name}-x`, node, {
      ownerReferences: [{ ...ownerOf(instance), apiVersion: 'kubevirt.io/v1' } as never],
    }),
  );
}

/** One machine that runs, and one that was stopped: its address is kept for it. */
async function machines(objects: Objects): Promise<void> {
  await machine(objects, 'vm-on', WORKERS[0]);
  const launcher = await machine(objects, 'vm-off', WORKERS[1]);
  const off = { namespace: 'shop', name: 'vm-off' };
  const stopped = (await objects.get('VirtualMachine', 'vm-off', 'shop'))!;
  await objects.write({ ...stopped, spec: { ...stopped.spec, runStrategy: 'Halted' } });
  await objects.remove({ kind: 'VirtualMachineInstance', metadata: off });
  await objects.remove(launcher, true);
}

/**
 * Two VPCs, four subnets, sets with pods, machines, services, policies, a security group and Vips:
 * healthy.
 */
export async function populate(objects: Objects): Promise<void> {
  for (const name of ['shop', 'tenant'])
    await objects.create({ kind: 'Namespace', metadata: { name } });
  await waitFor(
    async () =>
      (await objects.list('Node')).every(
        (it) => it.metadata.annotations?.['ovn.kubernetes.io/allocated'] === 'true',
      ),
    { what: 'the nodes to have addresses', timeoutMs: 60_000 },
  );
  await objects.create({
    kind: 'Vpc',
    metadata: { name: 'blue' },
    spec: { namespaces: ['tenant'] },
  });
  await objects.create(subnet('apps', '10.17.0.0/20', { namespaces: ['shop'] }));
  await objects.create(subnet('blue-a', '10.50.0.0/24', { vpc: 'blue', namespaces: ['tenant'] }));
  for (const [namespace, of] of [
    ['shop', 'apps'],
    ['tenant', 'blue-a'],
  ] as const)
    await waitFor(
      async () =>
        (await objects.get('Namespace', namespace))?.metadata.annotations?.[
          'ovn.kubernetes.io/logical_switch'
        ] === of,
      { what: `namespace ${namespace} to have subnet ${of}`, timeoutMs: 60_000 },
    );
  for (const [namespace, name, replicas] of [
    ['shop', 'redis', 3],
    ['shop', 'web', 4],
    ['tenant', 'db', 3],
  ] as const)
    await podsOf(objects, await objects.create(statefulSet(namespace, name, replicas)));
  await objects.create({
    kind: 'Vip',
    metadata: { name: 'vip-free' },
    spec: { namespace: 'shop', subnet: 'apps', type: '', v4ip: '', selector: [] },
  });
  await objects.create({
    kind: 'NetworkPolicy',
    metadata: { namespace: 'shop', name: 'to-redis' },
    spec: { podSelector: { matchLabels: { app: 'redis' } }, policyTypes: ['Ingress'] },
  });
  await objects.create(service('shop', 'web'));
  await machines(objects);
}

export const service = (namespace: string, name: string): Thing => ({
  kind: 'Service',
  metadata: { namespace, name },
  spec: {
    selector: { app: name },
    ports: [{ name: 'main', port: 80, targetPort: 8080, protocol: 'TCP' }],
  },
});
