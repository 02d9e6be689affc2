import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Objects, Thing } from '../incidents/actor/objects';
import { addressed, addressOf, ownerOf, pod, WORKERS } from './cluster';
import { OUTSIDE } from './gateways';
import type { Rig } from './rig';

/** A VPC egress gateway with a pod on each worker, for pods of its namespace and a subnet. */
export interface EgressPlan {
  readonly namespace: string;
  readonly name: string;
  readonly vpc: string;
  readonly subnet: string;
}

const gatewayOf = ({ namespace, name, vpc, subnet }: EgressPlan): Thing => ({
  kind: 'VpcEgressGateway',
  metadata: { namespace, name },
  spec: {
    vpc,
    internalSubnet: subnet,
    externalSubnet: OUTSIDE.name,
    replicas: WORKERS.length,
    bfd: { enabled: true, minRX: 1000, minTX: 1000, multiplier: 3 },
    selectors: [
      {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        podSelector: { matchLabels: { app: 'client' } },
      },
    ],
    policies: [{ snat: true, subnets: [subnet] }],
  },
});

/** Makes a gateway and its pods, and waits until it is ready. */
export async function addEgressGateway(objects: Objects, plan: EgressPlan): Promise<void> {
  const { namespace, name } = plan;
  await objects.create(gatewayOf(plan));
  const deployment = await waitFor(() => objects.get('Deployment', name, namespace), {
    what: `the Deployment of gateway ${name}`,
    timeoutMs: 60_000,
  });
  await runWorkload(objects, { ...deployment, kind: 'Deployment' });
  await waitFor(async () => (await egressGateway(objects, plan))?.status?.['ready'] === true, {
    what: `gateway ${name} to be ready`,
    timeoutMs: 60_000,
  });
}

export const egressGateway = (
  { get }: Objects,
  { namespace, name }: EgressPlan,
): Promise<Thing | undefined> => get('VpcEgressGateway', name, namespace);

/** Its rows in a table, by uuid. */
export async function rowsOf(
  { nbctl }: Rig,
  { namespace, name }: EgressPlan,
  table: string,
  ...conditions: readonly string[]
): Promise<readonly string[]> {
  const owner = `external_ids:vpc-egress-gateway="${namespace}/${name}"`;
  const uuids = await nbctl('--bare', '--columns=_uuid', 'find', table, owner, ...conditions);
  return uuids.split('\n').filter((it) => it !== '');
}

/** A ReplicaSet and its pods, as Kubernetes makes them of a Deployment, one on each worker. */
async function runWorkload(objects: Objects, deployment: Thing): Promise<void> {
  const { namespace, name } = deployment.metadata;
  const { template, selector } = deployment.spec as unknown as {
    readonly template: Pick<Thing, 'metadata' | 'spec'>;
    readonly selector: object;
  };
  const replicas = WORKERS.length;
  const set = await objects.create({
    kind: 'ReplicaSet',
    metadata: { namespace: namespace!, name: `${name}-1`, ownerReferences: [ownerOf(deployment)] },
    spec: { replicas, selector, template },
  });
  for (const [nth, node] of WORKERS.entries()) {
    const wanted = pod(namespace!, `${name}-1-${nth}`, node, {
      ...template.metadata,
      ownerReferences: [ownerOf(set)],
    });
    await connect(
      objects,
      await addressed(objects, {
        ...wanted,
        metadata: { ...wanted.metadata, labels: template.metadata.labels! },
      }),
    );
  }
  const now = (await objects.get('Deployment', name, namespace))!;
  await objects.writeStatus({
    ...now,
    kind: 'Deployment',
    status: {
      observedGeneration: (now.metadata as { readonly generation?: number }).generation ?? 1,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
    },
  });
}

/** Writes at a pod which addresses it has in each network, as Multus does. */
async function connect(objects: Objects, { metadata: { namespace, name } }: Thing): Promise<void> {
  const inside = await waitFor(
    async () => {
      const found = await objects.get('Pod', name, namespace);
      return found?.status?.['phase'] === 'Running' && found;
    },
    { what: `pod ${name} to run`, timeoutMs: 30_000 },
  );
  const { annotations = {} } = inside.metadata;
  const outside = annotations[`${OUTSIDE.provider}.kubernetes.io/ip_address`] ?? '';
  const status = [
    { name: 'kube-ovn', interface: 'eth0', ips: [addressOf(inside)], default: true, dns: {} },
    { name: OUTSIDE.definition, interface: 'net1', ips: [outside], dns: {} },
  ];
  await objects.write({
    ...inside,
    kind: 'Pod',
    metadata: {
      ...inside.metadata,
      annotations: {
        ...annotations,
        'k8s.v1.cni.cncf.io/network-status': JSON.stringify(status),
      },
    },
  });
}

/** Deletes a gateway, and its workload with it, as the garbage collector of Kubernetes does. */
export async function removeEgressGateway(objects: Objects, plan: EgressPlan): Promise<void> {
  const gateway = gatewayOf(plan);
  await objects.remove(gateway);
  await waitFor(async () => (await egressGateway(objects, plan)) === undefined, {
    what: `gateway ${plan.name} to be gone`,
    timeoutMs: 60_000,
  });
  await removeWorkload(objects, plan);
}

/** What Kubernetes collects of a gateway that is gone. */
export async function removeWorkload(
  objects: Objects,
  { namespace, name }: EgressPlan,
): Promise<void> {
  await objects.remove({ kind: 'Deployment', metadata: { namespace, name } });
  await objects.remove({ kind: 'ReplicaSet', metadata: { namespace, name: `${name}-1` } });
  for (const nth of WORKERS.keys())
    await objects.remove({ kind: 'Pod', metadata: { namespace, name: `${name}-1-${nth}` } }, true);
}
