import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { annotationsOf } from '@ovn-steward/systems/testing/kube-ovn/addresses';
import { type Interface, nameOf } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { alive, annotate, annotationOf, remove, rowNamed } from '../cluster';
import { isWanted } from '../truth/alive';
import type { Controller, Handler, Job } from './controller';
import { dropPolicy } from './gateways';
import { macOf } from './ipam';
import { ensureIp } from './ips';
import { isLive, keepersOf, machineOf, networksOf } from './pod';
import { addressFor, writtenByKubeOvn } from './pod-choices';
import { dropPort, ensurePort } from './rows';
import { formerGroups, groupsSaid, keysOfGroups, namesIn } from './security-group-keys';
import { syncNamed } from './security-group-ports';

const ALLOCATED = 'ovn.kubernetes.io/allocated';
const ROUTED = 'ovn.kubernetes.io/routed';

const keyOf = ({ metadata: { namespace = '', name } }: KubernetesObject): string =>
  `${namespace}/${name}`;

/** Address, port, IP object, then the pod's annotations (§0, fact 9). */
function* allocate(controller: Controller, key: string): Job {
  const { cluster, ipam } = controller;
  const [namespace = '', name = ''] = key.split('/');
  const pod = cluster.objects.get('Pod', namespace, name);
  if (!isLive(pod) || annotationOf(pod, ALLOCATED) === 'true') return;
  const machine = machineOf(pod);
  const nics: (Interface & { provider: string })[] = [];
  for (const { provider, suffix, subnet } of networksOf(cluster, pod)) {
    const owner = { namespace, pod: machine ?? name, suffix };
    if (
      !alive(cluster.objects.get('Subnet', undefined, subnet)) ||
      !rowNamed(cluster, 'Logical_Switch', subnet)
    )
      return;
    const address = addressFor(ipam, pod, subnet, nameOf(owner));
    if (address === undefined) return;
    const mac = annotationOf(pod, `${provider}.kubernetes.io/mac_address`);
    const nic = {
      ...owner,
      provider,
      subnet,
      address: { mac: mac ?? macOf(cluster), ips: [address] },
    };
    const said = groupsSaid(pod, provider);
    const former = formerGroups(cluster, pod, nameOf(owner));
    if (!ensurePort(cluster, nic, keepersOf(pod), keysOfGroups(said))) return;
    yield;
    syncNamed(controller, [...namesIn(said), ...former]);
    nics.push(nic);
  }
  if (nics.length === 0) return;
  for (const nic of nics) {
    if (ensureIp(cluster, nic, pod)) yield;
  }
  const current = cluster.objects.get('Pod', namespace, name);
  if (!current || current.metadata.uid !== pod.metadata.uid) return;
  annotate(
    cluster,
    writtenByKubeOvn(current),
    Object.assign(
      {},
      ...nics.map((nic) => ({
        ...annotationsOf(nic.address, nic.subnet, nic.provider),
        ...(machine !== undefined && { [`${nic.provider}.kubernetes.io/virtualmachine`]: machine }),
      })),
    ) as Record<string, string>,
  );
  cluster.diary.push(`pod ${key} annotated`);
  yield;
}

/** The policy of its gateway, ports by their `pod` key, then the records, then the memory (§5, handleDeletePod). */
function* forget({ cluster, ipam }: Controller, pod: KubernetesObject): Job {
  const { namespace = '', name } = pod.metadata;
  const current = cluster.objects.get('Pod', namespace, name);
  // A successor has the same names.
  if (current && current.metadata.uid !== pod.metadata.uid) return;
  const isKept = keepersOf(pod).some(
    (it) => it.kind !== 'Pod' && it.kind !== 'Launcher' && isWanted(cluster, it),
  );
  if (isKept) return;
  const owner = machineOf(pod) ?? name;
  const names = networksOf(cluster, pod).map(({ suffix }) =>
    nameOf({ namespace, pod: owner, suffix }),
  );
  const source = annotationOf(pod, 'ovn.kubernetes.io/ip_address') ?? '';
  if (dropPolicy(cluster, source)) yield;
  for (const it of names) if (dropPort(cluster, it)) yield;
  for (const ipName of names) {
    const ip = cluster.objects.get('IP', undefined, ipName);
    if (ip && ip.metadata.deletionTimestamp === undefined) {
      cluster.diary.push(`IP ${ipName} being deleted`);
      remove(cluster, ip);
      yield;
    }
    ipam.release(ipName);
  }
}

export const pods: Handler = (controller, event) => {
  if (event.is === 'all') return;
  const key = `pod ${keyOf(event.object)}`;
  if (event.is === 'gone') controller.enqueue(key, forget(controller, event.object));
  else if (isLive(event.object) && annotationOf(event.object, ALLOCATED) !== 'true')
    controller.enqueue(key, allocate(controller, keyOf(event.object)));
};

/**
 * Every 20 s: pods without the port they are said to have are given it again, and those that failed
 * are tried again (§0.2, inspectPod).
 */
export function* inspect(controller: Controller): Job {
  const { cluster } = controller;
  for (const pod of [...cluster.objects.all('Pod')]) {
    if (!isLive(pod)) continue;
    const isAllocated = annotationOf(pod, ALLOCATED) === 'true';
    const { namespace = '', name } = pod.metadata;
    const owner = machineOf(pod) ?? name;
    const lost = networksOf(cluster, pod).some(
      ({ suffix }) =>
        !rowNamed(cluster, 'Logical_Switch_Port', nameOf({ namespace, pod: owner, suffix })),
    );
    if (isAllocated && lost) {
      annotate(cluster, pod, { [ALLOCATED]: undefined, [ROUTED]: undefined });
      cluster.diary.push(`pod ${keyOf(pod)} found without its port`);
      yield;
    } else if (!isAllocated)
      controller.enqueue(`pod ${keyOf(pod)}`, allocate(controller, keyOf(pod)));
  }
}
