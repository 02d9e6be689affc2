import type { Action } from '../action-kit/action';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { ActionCluster } from './action-cluster';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';

/** What an action is tried on. */
export interface ActionCase {
  readonly action: Action;
  /** Makes what the action is for, under that name, and all it needs. */
  arrange(cluster: ActionCluster, name: string): Promise<KubernetesObject>;
  readonly part?: { readonly column: string; readonly key: string };
  /** What undoing brings: the object again, the field, or nothing. */
  readonly undone: 'object' | 'field' | 'impossible';
}

export const FINALIZER = 'kubeovn.io/kube-ovn-controller';
export const signal = new AbortController().signal;
export const COMMENT = { action: 'a'.repeat(64), rule: 'some-rule', finding: 'f'.repeat(64) };

let addresses = 0;
/** Never the same twice, so that no object of one test is in the way of another. */
const freshAddress = (): string => `10.16.${++addresses >> 8}.${addresses & 255}`;

const SUBNET: GivenObject = {
  apiVersion: 'kubeovn.io/v1',
  kind: 'Subnet',
  metadata: { name: 'apps' },
  spec: { cidrBlock: '10.16.0.0/16', protocol: 'IPv4', provider: 'ovn', vpc: 'ovn-cluster' },
  status: {
    conditions: [
      { type: 'Validated', status: 'True' },
      { type: 'Ready', status: 'True' },
    ],
    v4availableIPs: 60_000,
  },
};

/** An object of Kube-OVN's as its controller keeps it. */
export const kubeOvnObject = (
  kind: string,
  name: string,
  spec: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, unknown>> = {},
): GivenObject => ({
  apiVersion: 'kubeovn.io/v1',
  kind,
  metadata: {
    name,
    finalizers: [FINALIZER],
    labels: { 'ovn.kubernetes.io/subnet': 'apps' },
    ...metadata,
  },
  spec,
});

/**
 * One of the kinds that hold addresses, as each names them.
 * @throws Error for another kind.
 */
export function addressHolder(kind: string, name: string, address = freshAddress()): GivenObject {
  switch (kind) {
    case 'IP':
      return kubeOvnObject(kind, name, {
        podName: name,
        namespace: 'shop',
        podType: '',
        subnet: 'apps',
        ipAddress: address,
        v4IpAddress: address,
        v6IpAddress: '',
        macAddress: '0a:00:00:00:00:01',
        attachSubnets: [],
        attachIps: [],
      });
    case 'Vip':
      return {
        ...kubeOvnObject(kind, name, { subnet: 'apps', namespace: '', type: '', v4ip: address }),
        status: { v4ip: address },
      };
    case 'OvnEip':
      return kubeOvnObject(kind, name, { externalSubnet: 'apps', v4Ip: address, type: 'nat' });
    case 'IptablesEIP':
      return kubeOvnObject(kind, name, {
        externalSubnet: 'apps',
        v4ip: address,
        natGwDp: 'gw',
      });
    default:
      throw new Error(
        `addressHolder (services/executor/src/testing/action-cases.ts) has no case for ${kind}`,
      );
  }
}

/** The case of an action that deletes an object that holds an address. */
export const deletion = (action: Action): ActionCase => ({
  action,
  undone: 'object',
  async arrange(cluster, name) {
    await cluster.put(SUBNET);
    return cluster.put(addressHolder(action.kinds[0]!, name));
  },
});

/** An object whose deletion hangs. */
export async function hanging(
  cluster: ActionCluster,
  given: GivenObject,
): Promise<KubernetesObject> {
  await cluster.put(SUBNET);
  const {
    metadata: { name, uid, resourceVersion },
  } = await cluster.put(given);
  await cluster.others.delete({ kind: given.kind, name, uid, resourceVersion }, signal);
  return (await cluster.kubernetes.get(given.kind, undefined, name, signal))!;
}

const TEMPLATE = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'example.com/main' }] },
};

/** Namespace shop, bound to Subnet apps, in which a pod gets an address at once. */
export async function readyNetwork(cluster: Pick<ActionCluster, 'put'>): Promise<void> {
  await cluster.put(SUBNET);
  await cluster.put({
    apiVersion: 'kubeovn.io/v1',
    kind: 'Vpc',
    metadata: { name: 'ovn-cluster' },
    spec: {},
  });
  await cluster.put({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', annotations: { 'ovn.kubernetes.io/logical_switch': 'apps' } },
  });
}

/** A pod of a ReplicaSet that lives. */
export async function podOfReplicaSet(
  cluster: ActionCluster,
  name: string,
  annotations: Readonly<Record<string, string>> = {},
  replicas = 1,
): Promise<KubernetesObject> {
  await readyNetwork(cluster);
  const owner = await cluster.put({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: `${name}-set`, namespace: 'shop' },
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: TEMPLATE },
  });
  const ownerReferences = [
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      name: owner.metadata.name,
      uid: owner.metadata.uid,
      controller: true,
    },
  ];
  return cluster.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', annotations, ownerReferences },
    spec: TEMPLATE.spec,
  });
}

/** The case of the action that restarts a pod. */
export const restart = (action: Action): ActionCase => ({
  action,
  undone: 'impossible',
  arrange: podOfReplicaSet,
});

/** The mark of an attached network. */
export const ALLOCATED = 'net.shop.ovn.kubernetes.io/allocated';

/** The case of the action that takes that mark. */
export const reallocation = (action: Action): ActionCase => ({
  action,
  undone: 'field',
  part: { column: 'metadata.annotations', key: ALLOCATED },
  arrange: (cluster, name) =>
    podOfReplicaSet(cluster, name, { [ALLOCATED]: 'true', 'ovn.kubernetes.io/allocated': 'true' }),
});

/** The case of the action that takes a finalizer. */
export const stripping = (action: Action): ActionCase => ({
  action,
  undone: 'object',
  part: { column: 'metadata.finalizers', key: FINALIZER },
  arrange: (cluster, name) => hanging(cluster, addressHolder('IP', name)),
});
