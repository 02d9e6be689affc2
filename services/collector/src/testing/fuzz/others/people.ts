import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { annotate, annotationOf, type Cluster, NAMESPACES, remove } from '../cluster';
import { NODES } from '../create-cluster';
import { LAB } from '../kube-ovn/namespaces';

const PLAIN = ['web-7d9-a', 'web-7d9-b', 'job-5c2-x', 'api-66f-q'] as const;
const SETS = ['db', 'mq'] as const;
const MACHINES = ['vm-0', 'vm-1'] as const;
/** Where Kube-OVN and its gateways run, and pods that come and go in another way. */
export const SYSTEM: readonly string[] = ['kube-system', 'default', LAB];
const NETWORKS = 'k8s.v1.cni.cncf.io/networks';

const makePod = (
  cluster: Cluster,
  name: string,
  namespace: string,
  owner: { kind: string; name: string } | undefined,
  annotations: Readonly<Record<string, string>> = {},
): void => {
  if (cluster.objects.get('Pod', namespace, name)) return;
  const all = { ...annotations, ...gatewayAsked(cluster) };
  cluster.put({
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: { app: name.split('-')[0]! },
      annotations: all,
      ...(owner && {
        ownerReferences: [
          {
            apiVersion: owner.kind === 'VirtualMachineInstance' ? 'kubevirt.io/v1' : 'apps/v1',
            ...owner,
            uid: `uid-of-${owner.name}`,
            controller: true,
          },
        ],
      }),
    },
    spec: { nodeName: cluster.random.pick(NODES), restartPolicy: 'Always' },
    status: { phase: 'Pending' },
  });
  const asks = Object.entries(gatewayKeys(all)).join(' ');
  cluster.diary.push(`pod ${namespace}/${name} made${asks === '' ? '' : ` with ${asks}`}`);
};

const GATEWAYS = ['north_gateway', 'eip', 'snat'].map((it) => `ovn.kubernetes.io/${it}`);
const gatewayKeys = (annotations: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(annotations).filter(([key]) => GATEWAYS.includes(key)));

/** Some pods ask for a gateway or an external address of their own. */
function gatewayAsked({ random }: Cluster): Readonly<Record<string, string>> {
  if (!random.chance(0.2)) return {};
  const key = random.pick(GATEWAYS);
  return { [key]: key === GATEWAYS[0] ? '10.99.0.254' : `198.51.100.${10 + random.int(100)}` };
}

/** A pod asks for a gateway of its own no more. */
export function forgoGateway(cluster: Cluster): void {
  const pod = cluster.random.maybe(
    [...cluster.objects.all('Pod')].filter((it) => GATEWAYS.some((key) => annotationOf(it, key))),
  );
  if (!pod) return;
  annotate(cluster, pod, Object.fromEntries(GATEWAYS.map((it) => [it, undefined])));
  cluster.diary.push(`pod ${pod.metadata.namespace}/${pod.metadata.name} asks for no gateway`);
}

/** The pod is gone at once: how long it takes to end is of no account here. */
const endPod = (cluster: Cluster, { metadata: { namespace, name } }: KubernetesObject): void => {
  cluster.objects.remove('Pod', namespace, name);
  cluster.diary.push(`pod ${namespace}/${name} deleted`);
};

/** Those that people have to do with. */
const podsOf = ({ objects }: Cluster): KubernetesObject[] =>
  [...objects.all('Pod')].filter((it) => !SYSTEM.includes(it.metadata.namespace ?? ''));

export function createPod(cluster: Cluster): void {
  const { random } = cluster;
  const namespace = random.pick(NAMESPACES);
  const name = random.pick(PLAIN);
  const more = namespace === 'shop' && random.chance(0.3) ? { [NETWORKS]: 'shop/lan' } : {};
  makePod(cluster, name, namespace, { kind: 'ReplicaSet', name: name.slice(0, -2) }, more);
}

export function deletePod(cluster: Cluster): void {
  const pod = cluster.random.maybe(podsOf(cluster));
  if (pod) endPod(cluster, pod);
}

/** Recreated under its name at once, as a StatefulSet does, and people do with bare pods. */
export function remakePod(cluster: Cluster): void {
  const pod = cluster.random.maybe(podsOf(cluster));
  if (!pod) return;
  endPod(cluster, pod);
  const { namespace = '', name } = pod.metadata;
  const [owner] =
    (pod.metadata['ownerReferences'] as { kind: string; name: string }[] | undefined) ?? [];
  makePod(cluster, name, namespace, owner && { kind: owner.kind, name: owner.name });
}

/** A StatefulSet is made or scaled, or goes; its pods follow a while later (`tendSets`). */
export function changeSet(cluster: Cluster): void {
  const { random } = cluster;
  const namespace = random.pick(NAMESPACES);
  const name = random.pick(SETS);
  const known = cluster.objects.get('StatefulSet', namespace, name);
  if (known && random.chance(0.3)) {
    cluster.objects.remove('StatefulSet', namespace, name);
    cluster.diary.push(`set ${namespace}/${name} deleted`);
    return;
  }
  const replicas = random.int(4);
  cluster.put({
    kind: 'StatefulSet',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } } },
    },
  });
  cluster.diary.push(`set ${namespace}/${name} wants ${replicas}`);
}

/**
 * The pods of a set are not made again for a while, as where no node has room for them; or are
 * again.
 */
export function stall(cluster: Cluster): void {
  const { random, stalled } = cluster;
  const key = `${random.pick(NAMESPACES)}/${random.pick(SETS)}`;
  if (!stalled.delete(key)) stalled.add(key);
  cluster.diary.push(`set ${key} ${stalled.has(key) ? 'gets no pods' : 'gets pods again'}`);
}

/** As many pods as each set wants. */
export function tendSets(cluster: Cluster): void {
  for (const namespace of NAMESPACES)
    for (const name of SETS) {
      if (cluster.stalled.has(`${namespace}/${name}`)) continue;
      const set = cluster.objects.get('StatefulSet', namespace, name);
      const wanted = Number((set?.['spec'] as { replicas?: number } | undefined)?.replicas ?? 0);
      for (let n = 0; n < 4; n += 1) {
        const pod = cluster.objects.get('Pod', namespace, `${name}-${n}`);
        if (n < wanted && !pod)
          makePod(cluster, `${name}-${n}`, namespace, { kind: 'StatefulSet', name });
        if (n >= wanted && pod) endPod(cluster, pod);
      }
    }
}

/** A machine is made, started, stopped or deleted; its launcher comes and goes with it. */
export function changeMachine(cluster: Cluster): void {
  const { random } = cluster;
  const namespace = random.pick(NAMESPACES);
  const name = random.pick(MACHINES);
  const machine = cluster.objects.get('VirtualMachine', namespace, name);
  const instance = cluster.objects.get('VirtualMachineInstance', namespace, name);
  if (!machine) {
    cluster.put({
      kind: 'VirtualMachine',
      metadata: { name, namespace },
      spec: {
        runStrategy: 'Always',
        template: { spec: { networks: [{ name: 'default', pod: {} }] } },
      },
    });
    cluster.diary.push(`machine ${namespace}/${name} made`);
  } else if (!instance) {
    cluster.put({ kind: 'VirtualMachineInstance', metadata: { name, namespace }, spec: {} });
    makePod(cluster, `virt-launcher-${name}-${random.int(1e6).toString(36)}`, namespace, {
      kind: 'VirtualMachineInstance',
      name,
    });
  } else {
    const launcher = [...cluster.objects.all('Pod')].find(
      (pod) =>
        pod.metadata.namespace === namespace &&
        pod.metadata.name.startsWith(`virt-launcher-${name}-`),
    );
    cluster.objects.remove('VirtualMachineInstance', namespace, name);
    if (random.chance(0.5)) cluster.objects.remove('VirtualMachine', namespace, name);
    cluster.diary.push(`machine ${namespace}/${name} stopped`);
    // A launcher may outlive the objects of its machine.
    if (launcher && random.chance(0.7)) endPod(cluster, launcher);
  }
}

/** Somebody deletes an IP object by hand, or reserves it. */
export function touchIp(cluster: Cluster): void {
  const ip = cluster.random.maybe(
    [...cluster.objects.all('IP')].filter((it) => !it.metadata.name.startsWith('node-')),
  );
  if (!ip) return;
  if (cluster.random.chance(0.5)) {
    cluster.diary.push(`IP ${ip.metadata.name} deleted by hand`);
    remove(cluster, ip);
    return;
  }
  const labels = { ...(ip.metadata['labels'] as Record<string, string>) };
  labels['ovn.kubernetes.io/ip_reserved'] =
    labels['ovn.kubernetes.io/ip_reserved'] === 'true' ? 'false' : 'true';
  cluster.put({ ...ip, metadata: { ...ip.metadata, labels } } as unknown as GivenObject);
  cluster.diary.push(`IP ${ip.metadata.name} reserved: ${labels['ovn.kubernetes.io/ip_reserved']}`);
}
