import { field, freeAddress, holdersOf, isOvn } from './addresses';
import { subnetFor } from './namespaces';
import type { Northbound } from './northbound';
import { FINALIZER, type Objects, type Thing } from './objects';
import { portName } from './port-collection';

const NETWORKS = 'k8s.v1.cni.cncf.io/networks';
const MAC = '00:00:00:5e:00:01';

interface Nic {
  readonly provider: string;
  readonly subnet: Thing;
}

/**
 * Gives each new pod an address: port, then IP object, then annotations (kube-ovn.md §0, fact 9).
 * It does so as soon as the pod exists, whether or not it may be scheduled. For a pod that names a
 * subnet which is not there it tries again until that is.
 */
export async function allocatePods(nb: Northbound, objects: Objects): Promise<void> {
  for (const pod of await objects.list('Pod')) {
    const { annotations = {}, deletionTimestamp } = pod.metadata;
    if (
      deletionTimestamp !== undefined ||
      annotations['ovn.kubernetes.io/allocated'] === 'true' ||
      pod.spec?.['hostNetwork'] === true
    )
      continue;
    if (pod.metadata.ownerReferences?.[0]?.kind !== 'ReplicaSet') continue; // the recorded ones have all they need
    const nics = await nicsOf(pod, objects);
    if (nics.length > 0) await allocate(nb, objects, pod, nics);
  }
}

async function allocate(
  nb: Northbound,
  objects: Objects,
  pod: Thing,
  nics: readonly Nic[],
): Promise<void> {
  const { name: podName, namespace = '' } = pod.metadata;
  const annotations: Record<string, string> = { ...pod.metadata.annotations };
  const switches = new Set((await nb.rows('Logical_Switch')).map(({ name }) => name));
  if (nics.some(({ subnet }) => isOvn(subnet) && !switches.has(subnet.metadata.name))) return; // no port without its switch: tried again
  for (const { provider, subnet } of nics) {
    const address = freeAddress(subnet, await holdersOf(objects));
    if (address === undefined) return;
    const name = portName(podName, namespace, provider);
    const ls = subnet.metadata.name;
    if (isOvn(subnet))
      await nb.nbctl(
        'lsp-add',
        ls,
        name,
        '--',
        'lsp-set-addresses',
        name,
        `${MAC} ${address}`,
        '--',
        'set',
        'Logical_Switch_Port',
        name,
        'external_ids:vendor=kube-ovn',
        `external_ids:ls=${ls}`,
        `external_ids:pod=${namespace}/${podName}`,
      );
    await objects.create(ipOf(name, { address, subnet: ls, namespace, podName }));
    Object.assign(annotations, {
      [`${provider}.kubernetes.io/allocated`]: 'true',
      [`${provider}.kubernetes.io/ip_address`]: address,
      [`${provider}.kubernetes.io/cidr`]: field(subnet, 'cidrBlock'),
      ...(isOvn(subnet) && { [`${provider}.kubernetes.io/logical_switch`]: ls }),
    });
  }
  // The controller patches them, whatever else changed the pod meanwhile, such as who lifts its
  // gate.
  for (let isWritten = false; !isWritten;) {
    const now = await objects.get('Pod', podName, namespace);
    if (!now) return;
    isWritten = await objects.write({
      ...now,
      kind: 'Pod',
      metadata: { ...now.metadata, annotations: { ...now.metadata.annotations, ...annotations } },
    });
  }
}

/** An IP object as the controller writes it. */
export const ipOf = (
  name: string,
  of: {
    readonly address: string;
    readonly subnet: string;
    readonly namespace: string;
    readonly podName: string;
    readonly podType?: string;
  },
): Thing => ({
  kind: 'IP',
  metadata: {
    name,
    finalizers: [FINALIZER],
    labels: {
      [of.subnet]: '',
      'ovn.kubernetes.io/ip_reserved': 'false',
      'ovn.kubernetes.io/node-name': 'worker-1',
      'ovn.kubernetes.io/subnet': of.subnet,
    },
  },
  spec: {
    attachIps: [],
    attachMacs: [],
    attachSubnets: [],
    containerID: '',
    ipAddress: of.address,
    macAddress: MAC,
    namespace: of.namespace,
    nodeName: 'worker-1',
    podName: of.podName,
    podType: of.podType ?? '',
    subnet: of.subnet,
    v4IpAddress: of.address,
    v6IpAddress: '',
  },
});

/**
 * `getPodKubeovnNets`: the default network and the attachments. One that is missing fails all of
 * them on a live pod, and is left out on one that goes.
 */
async function nicsOf(
  { metadata }: Thing,
  objects: Objects,
  isGoing = false,
): Promise<readonly Nic[]> {
  const chosen =
    metadata.annotations?.['ovn.kubernetes.io/logical_switch'] ??
    (await subnetFor(objects, metadata.namespace!));
  const nics: Nic[] = [];
  const standard = chosen === undefined ? undefined : await objects.get('Subnet', chosen);
  if (standard) nics.push({ provider: 'ovn', subnet: standard });
  else if (!isGoing) return [];
  for (const network of (metadata.annotations?.[NETWORKS] ?? '')
    .split(',')
    .filter((it) => it !== '')) {
    const [namespace, name] = network.split('/') as [string, string];
    const nad = await objects.get('NetworkAttachmentDefinition', name, namespace);
    const provider = nad && providerOf(nad);
    const subnet =
      provider && (await objects.list('Subnet')).find((it) => field(it, 'provider') === provider);
    if (provider && subnet) nics.push({ provider, subnet });
    else if (!isGoing) return [];
  }
  return nics;
}

const providerOf = (nad: Thing): string =>
  (JSON.parse(field(nad, 'config')) as { ipam?: { provider?: string }; provider?: string }).ipam
    ?.provider ??
  (JSON.parse(field(nad, 'config')) as { provider?: string }).provider ??
  '';

/**
 * `handleDeletePod`: the ports of the pod, and the IP object of each of its networks. What a
 * network needs that is gone already leaves its object behind: "gc will clean", which is at the
 * next start (kube-ovn.md row 34, #4243, #4898).
 */
export async function forgetPod(nb: Northbound, objects: Objects, pod: Thing): Promise<void> {
  const key = `${pod.metadata.namespace}/${pod.metadata.name}`;
  await nb.release(
    'Logical_Switch',
    'ports',
    (await nb.rows('Logical_Switch_Port')).filter(
      ({ keys }) => keys['vendor'] === 'kube-ovn' && keys['pod'] === key,
    ),
  );
  for (const { provider } of await nicsOf(pod, objects, true))
    await objects.remove({
      kind: 'IP',
      metadata: { name: portName(pod.metadata.name, pod.metadata.namespace!, provider) },
    });
}
