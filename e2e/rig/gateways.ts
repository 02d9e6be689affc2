import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Objects, Thing } from '../incidents/actor/objects';
import { addressed, addressOf, ownerOf, subnet, WORKERS } from './cluster';

/**
 * The network that gateways lead to: not OVN's, Kube-OVN only gives its addresses
 * (kube-ovn.md §6.4).
 */
const EXTERNAL = 'ovn-vpc-external-network';
const NAMESPACE = 'kube-system';
const PROVIDER = `${EXTERNAL}.${NAMESPACE}`;

/** The same, for what else leads to it: its subnet, and its definition. */
export const OUTSIDE = {
  name: EXTERNAL,
  provider: PROVIDER,
  definition: `${NAMESPACE}/${EXTERNAL}`,
} as const;

const configMap = (name: string, data: Readonly<Record<string, string>>): KubernetesObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: NAMESPACE, name },
    data,
  }) as KubernetesObject;

/** What switches NAT gateways on, before the controller starts. */
export const GATEWAY_SETTINGS: readonly KubernetesObject[] = [
  configMap('ovn-vpc-nat-config', { image: 'docker.io/kubeovn/vpc-nat-gateway:v1.17.0' }),
  configMap('ovn-vpc-nat-gw-config', { 'enable-vpc-nat-gw': 'true' }),
];

/** The network outside, where there are gateways. */
export async function addOutside(objects: Objects): Promise<void> {
  const config = {
    cniVersion: '0.3.0',
    type: 'macvlan',
    master: 'eth1',
    mode: 'bridge',
    ipam: {
      type: 'kube-ovn',
      provider: PROVIDER,
      server_socket: '/run/openvswitch/kube-ovn-daemon.sock',
    },
  };
  await objects.create({
    kind: 'NetworkAttachmentDefinition',
    metadata: { namespace: NAMESPACE, name: EXTERNAL },
    spec: { config: JSON.stringify(config) },
  });
  const { kind, metadata, spec } = subnet(EXTERNAL, '203.0.113.0/24', {
    gateway: '203.0.113.1',
    provider: PROVIDER,
    excludeIps: ['203.0.113.1..203.0.113.10'],
  });
  const { vpc: _, ...ofProvider } = spec!;
  await objects.create({ kind, metadata, spec: ofProvider });
}

/** A gateway with two addresses of its own: one whole for a workload, of the other one port. */
export interface GatewayPlan {
  readonly name: string;
  readonly vpc: string;
  readonly subnet: string;
  readonly lanIp: string;
  /** Of the subnet's workloads. */
  readonly cidr: string;
  /** Addresses inside that its rules lead to. */
  readonly leadsTo: readonly [string, string];
}

/** The gateway of the filled cluster: it leads to two pods of its set in `tenant`. */
export async function blueGateway({ get }: Objects): Promise<GatewayPlan> {
  const address = async (pod: string): Promise<string> =>
    addressOf((await get('Pod', pod, 'tenant'))!);
  return {
    name: 'gw-blue',
    vpc: 'blue',
    subnet: 'blue-a',
    lanIp: '10.50.0.254',
    cidr: '10.50.0.0/24',
    leadsTo: [await address('db-0'), await address('db-1')],
  };
}

/** The pod of the set that the controller made for a gateway: nothing else makes it here. */
export const gatewayPod = ({ name }: GatewayPlan) => ({
  kind: 'Pod',
  metadata: { namespace: NAMESPACE, name: `vpc-nat-gw-${name}-0` },
});

/** Its addresses, then its rules, in the order in which they are made. */
export const partsOf = ({ name, cidr, leadsTo }: GatewayPlan): readonly Thing[] => {
  const [whole, shared, out] = ['whole', 'shared', 'out'].map((it) => `${name}-${it}`);
  const eip = (of: string): Thing => ({
    kind: 'IptablesEIP',
    metadata: { name: of },
    spec: { natGwDp: name, externalSubnet: EXTERNAL, v4ip: '', v6ip: '', macAddress: '' },
  });
  return [
    eip(whole!),
    eip(shared!),
    eip(out!),
    {
      kind: 'IptablesFIPRule',
      metadata: { name: `${name}-fip` },
      spec: { eip: whole, internalIp: leadsTo[0] },
    },
    {
      kind: 'IptablesDnatRule',
      metadata: { name: `${name}-dnat` },
      spec: {
        eip: shared,
        internalIp: leadsTo[1],
        externalPort: '8080',
        internalPort: '80',
        protocol: 'tcp',
      },
    },
    {
      kind: 'IptablesSnatRule',
      metadata: { name: `${name}-snat` },
      spec: { eip: out, internalCIDR: cidr },
    },
  ];
};

const gatewayOf = ({ name, vpc, subnet: of, lanIp }: GatewayPlan): Thing => ({
  kind: 'VpcNatGateway',
  metadata: { name },
  spec: {
    vpc,
    subnet: of,
    lanIp,
    externalSubnets: [EXTERNAL],
    selector: [],
    tolerations: [],
  },
});

/** Makes a gateway with its pod, its addresses and its rules, and waits until each is ready. */
export async function addGateway(objects: Objects, plan: GatewayPlan): Promise<void> {
  await objects.create(gatewayOf(plan));
  await runGateway(objects, plan);
  for (const part of partsOf(plan)) await makeReady(objects, part);
}

/** Runs the pod of a gateway that is there, until the controller has set it up. */
export async function runGateway(objects: Objects, plan: GatewayPlan): Promise<void> {
  const { metadata } = gatewayPod(plan);
  const set = await waitFor(
    () => objects.get('StatefulSet', metadata.name.replace(/-0$/, ''), NAMESPACE),
    { what: `the set of gateway ${plan.name}`, timeoutMs: 60_000 },
  );
  const { template } = set.spec as unknown as { template: Pick<Thing, 'metadata' | 'spec'> };
  await addressed(objects, {
    kind: 'Pod',
    metadata: {
      ...template.metadata,
      ...metadata,
      ownerReferences: [ownerOf({ ...set, kind: 'StatefulSet' })],
    },
    spec: { ...template.spec, nodeName: WORKERS[0] },
  });
  await waitFor(
    async () => {
      const pod = await objects.get('Pod', metadata.name, NAMESPACE);
      return pod?.metadata.annotations?.['ovn.kubernetes.io/vpc_nat_gw_init'] === 'true';
    },
    { what: `gateway ${plan.name} to be set up`, timeoutMs: 60_000 },
  );
}

const MOST_TRIES = 4;

/**
 * Makes a part of a gateway; again where it does not become ready: v1.12 loses one that comes while
 * the gateway is set up, until its next start, and at times the next one too (seen).
 */
async function makeReady(objects: Objects, part: Thing): Promise<void> {
  const made = async (timeoutMs: number): Promise<unknown> => {
    await objects.create(part);
    return waitFor(
      async () => (await objects.get(part.kind, part.metadata.name))?.status?.['ready'] === true,
      { what: `${part.kind} ${part.metadata.name} to be ready`, timeoutMs },
    );
  };
  const remove = async (): Promise<void> => {
    await objects.remove(part);
    await gone(objects, part);
  };
  for (let tries = 1; tries < MOST_TRIES; tries += 1) {
    const isReady = await made(20_000).then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await remove();
  }
  await made(60_000);
}

/** Deletes a gateway with all that is its own: rules, then addresses, then itself. */
export async function removeGateway(objects: Objects, plan: GatewayPlan): Promise<void> {
  for (const part of [...partsOf(plan)].reverse()) {
    await objects.remove(part);
    await gone(objects, part);
  }
  await endGateway(objects, plan);
}

/** Deletes it alone, and its pod, as Kubernetes does when its set goes. */
export async function endGateway(objects: Objects, plan: GatewayPlan): Promise<void> {
  const gateway = gatewayOf(plan);
  await objects.remove(gateway);
  await gone(objects, gateway);
  await objects.remove(gatewayPod(plan), true);
}

export const gone = (
  { get }: Objects,
  { kind, metadata: { name } }: Pick<Thing, 'kind' | 'metadata'>,
): Promise<unknown> =>
  waitFor(async () => (await get(kind, name)) === undefined, {
    what: `${kind} ${name} to be gone`,
    timeoutMs: 60_000,
  });
