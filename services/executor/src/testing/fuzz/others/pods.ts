import { operation as op } from '@ovn-steward/ovsdb';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import {
  type Address,
  addressIn,
  annotationsOf,
} from '@ovn-steward/systems/testing/kube-ovn/addresses';
import {
  type Interface,
  ipObject,
  nameOf,
  podPort,
} from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { add } from '@ovn-steward/systems/testing/kube-ovn/rows';
import {
  addressOf,
  ATTACHMENT,
  type Cluster,
  FINALIZER,
  has,
  NAMESPACES,
  named,
  NODES,
  PODS,
  portOf,
  rowsOf,
  SUBNETS,
} from '../cluster';
import { APPS, type Move } from './move';

/** What the port of that name has. */
function standingAddress(cluster: Cluster, port: string): Address | undefined {
  const uuid = named(cluster, 'Logical_Switch_Port', port);
  return uuid === undefined ? undefined : portOf(cluster, uuid);
}

const podOf = (
  { kubernetes }: Cluster,
  namespace: string,
  name: string,
): KubernetesObject | undefined =>
  kubernetes
    .objects('Pod')
    .find((it) => it.metadata.name === name && it.metadata.namespace === namespace);

/**
 * A pod or a machine, with all that Kube-OVN makes for it, or some of it: as things stand when
 * somebody was interrupted. A pod may have a second interface.
 */
export const createPod: Move = (cluster) => {
  const { kubernetes, random } = cluster;
  const namespace = random.pick(NAMESPACES);
  const pod = random.pick(PODS);
  const subnet = random.pick(SUBNETS);
  const annotations = podOf(cluster, namespace, pod)?.metadata['annotations'];
  // Whoever has an address keeps it, and so does a port that waits for a pod of its name.
  const address =
    addressIn(annotations as Record<string, string> | undefined) ??
    standingAddress(cluster, `${pod}.${namespace}`) ??
    addressOf(cluster, subnet);
  const main: Interface = { namespace, pod, subnet, address, suffix: '' };
  const more: Interface[] =
    namespace === 'shop' && random.chance(0.25)
      ? [
          {
            ...main,
            subnet: ATTACHMENT.subnet,
            address:
              standingAddress(cluster, `${pod}.${namespace}.${ATTACHMENT.provider}`) ??
              addressOf(cluster, ATTACHMENT.subnet),
            suffix: `.${ATTACHMENT.provider}`,
          },
        ]
      : [];
  const kind = random.chance(0.2) ? 'VirtualMachine' : 'Pod';
  if (random.chance(0.85))
    kubernetes.put({
      kind,
      metadata: {
        name: pod,
        namespace,
        labels: { app: random.pick(APPS) },
        ...(kind === 'Pod' && {
          annotations: Object.assign(
            annotationsOf(address, subnet),
            ...more.map((it) => annotationsOf(it.address, it.subnet, ATTACHMENT.provider)),
            ...more.map(() => ({ 'k8s.v1.cni.cncf.io/networks': 'shop/lan' })),
          ) as Record<string, string>,
        }),
      },
      spec: {},
    });
  for (const nic of [main, ...more]) {
    if (random.chance(0.5)) createIp(cluster, nic);
    if (random.chance(0.9)) createPort(cluster, nic);
  }
};

export function createIp(cluster: Cluster, nic: Interface): void {
  const { kubernetes, random } = cluster;
  if (has(cluster, 'IP', nameOf(nic))) return;
  const reserved = random.chance(0.1);
  kubernetes.put(ipObject(nic, { finalizer: FINALIZER, nodeName: NODES[0], reserved }));
}

export function createPort(cluster: Cluster, nic: Interface): void {
  const holder = named(cluster, 'Logical_Switch', nic.subnet);
  if (holder === undefined) return;
  cluster.write(
    ...add(
      'Logical_Switch_Port',
      cluster.random.uuid(),
      { ...podPort(nic), ...(cluster.random.chance(0.15) ? { up: true } : {}) },
      { table: 'Logical_Switch', uuid: holder, column: 'ports' },
    ),
  );
}

/** Ports that pods have, or had. */
export const podPorts = (cluster: Cluster): string[] =>
  rowsOf(cluster, 'Logical_Switch_Port')
    .filter(([, row]) => {
      const ids = JSON.stringify(row['external_ids']);
      return row['type'] === '' && ids.includes('"kube-ovn"') && !ids.includes('kube-system/');
    })
    .map(([uuid]) => uuid);

/** No chassis holds the ports of the pod up any more. */
export function takeDown(cluster: Cluster, pod: string): void {
  for (const [uuid, row] of rowsOf(cluster, 'Logical_Switch_Port'))
    if (row['up'] === true && JSON.stringify(row['external_ids']).includes(`"${pod}"`))
      cluster.write(op.update('Logical_Switch_Port', op.byUuid(uuid), { up: false }));
}

export function dropPort(cluster: Cluster, uuid: string): void {
  for (const [holder, row] of rowsOf(cluster, 'Logical_Switch'))
    if (JSON.stringify(row['ports']).includes(uuid))
      cluster.write(
        op.mutate('Logical_Switch', op.byUuid(holder), [['ports', 'delete', op.uuid(uuid)]]),
      );
}

/** The same name again, as another row or object. */
export const remake: Move = (cluster) => {
  const { kubernetes, random } = cluster;
  if (random.chance(0.3)) {
    const object = random.maybe(kubernetes.objects(random.pick(['Pod', 'IP', 'NetworkPolicy'])));
    if (object)
      kubernetes.put({
        ...object,
        metadata: { ...object.metadata, uid: random.uuid() },
      } as unknown as Parameters<typeof kubernetes.put>[0]);
    return;
  }
  const uuid = random.maybe(podPorts(cluster));
  const [, row] = rowsOf(cluster, 'Logical_Switch_Port').find(([it]) => it === uuid) ?? [];
  const holder =
    row &&
    rowsOf(cluster, 'Logical_Switch').find(([, it]) =>
      JSON.stringify(it['ports']).includes(uuid!),
    )?.[0];
  if (!row || holder === undefined) return;
  dropPort(cluster, uuid!);
  cluster.write(
    ...add('Logical_Switch_Port', random.uuid(), row as never, {
      table: 'Logical_Switch',
      uuid: holder,
      column: 'ports',
    }),
  );
};

/**
 * A pod gets another label, or a policy takes other pods; the controller that would mend the groups
 * is not there.
 */
export const relabel: Move = ({ kubernetes, random }) => {
  const app = random.pick(APPS);
  const object = random.maybe(kubernetes.objects(random.chance(0.6) ? 'Pod' : 'NetworkPolicy'));
  if (object)
    kubernetes.put(
      (object['kind'] === 'Pod'
        ? { ...object, metadata: { ...object.metadata, labels: { app } } }
        : {
            ...object,
            spec: { podSelector: { matchLabels: { app } }, policyTypes: ['Ingress'] },
          }) as unknown as Parameters<typeof kubernetes.put>[0],
    );
};

export const scale: Move = ({ kubernetes, random }) => {
  const name = random.pick(['web', 'db']);
  const namespace = random.pick(NAMESPACES);
  const object: KubernetesObject | undefined = kubernetes
    .objects('StatefulSet')
    .find((each) => each.metadata.name === name && each.metadata.namespace === namespace);
  if (object && random.chance(0.4)) kubernetes.remove('StatefulSet', namespace, name);
  else
    kubernetes.put({
      kind: 'StatefulSet',
      metadata: { name, namespace },
      spec: { replicas: random.int(3) },
    });
};
