import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { ActionCluster } from './action-cluster';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';

/** What an action on objects is tried on: `actionCase` in `actions/testing/<id>.ts`. */
export interface ActionCase {
  /** Makes what the action is for, under that name, and all it needs. */
  arrange(cluster: ActionCluster, name: string): Promise<KubernetesObject>;
  readonly part?: { readonly column: string; readonly key: string };
  /** What undoing brings: the object again, the field, or nothing. */
  readonly undone: 'object' | 'field' | 'impossible';
  /** Of an action that deletes objects: one. */
  readonly makeObject?: MakeObject;
}

export const FINALIZER = 'kubeovn.io/kube-ovn-controller';
export const signal = new AbortController().signal;
export const COMMENT = { action: 'a'.repeat(64), rule: 'some-rule', finding: 'f'.repeat(64) };

let addresses = 0;
/** Never the same twice, so that no object of one test is in the way of another. */
export const freshAddress = (): string => `10.16.${++addresses >> 8}.${addresses & 255}`;

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

/** An object of a kind with that address, as its controller keeps it. */
export type MakeObject = (name: string, address?: string) => GivenObject;

/** The case of an action that deletes an object. */
export const deletion = (makeObject: MakeObject): Required<Omit<ActionCase, 'part'>> => ({
  undone: 'object',
  makeObject,
  async arrange(cluster, name) {
    await cluster.put(SUBNET);
    return cluster.put(makeObject(name));
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

/** The mark of an attached network. */
export const ALLOCATED = 'net.shop.ovn.kubernetes.io/allocated';
