import { type Interface, ipObject, nameOf } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import type { Cluster } from '../cluster';
import { EXTERNAL } from '../create-external';
import { keepersOf, machineOf } from './pod';
import type { Controller, Handler, Job } from './controller';
import { dropPort } from './rows';

const typeOf = (pod: KubernetesObject): '' | 'StatefulSet' | 'VirtualMachine' => {
  if (machineOf(pod) !== undefined) return 'VirtualMachine';
  return keepersOf(pod).some((it) => it.kind === 'Ordinal') ? 'StatefulSet' : '';
};

/**
 * The record of an interface: made, or written again where it says otherwise; one that is going is
 * left alone (kube-ovn.md §6.2). Whether anything was written.
 */
export function ensureIp(cluster: Cluster, nic: Interface, pod: KubernetesObject): boolean {
  const name = nameOf(nic);
  const known = cluster.objects.get('IP', undefined, name);
  if (known?.metadata.deletionTimestamp !== undefined) return false;
  const { finalizer } = cluster.release;
  const nodeName = (pod['spec'] as { nodeName?: string }).nodeName ?? '';
  const wanted = ipObject(nic, { finalizer, podType: typeOf(pod), nodeName });
  const labels = (known?.metadata['labels'] as object | undefined) ?? {};
  const object = cluster.put({
    ...wanted,
    metadata: {
      ...wanted.metadata,
      labels: {
        ...(wanted.metadata['labels'] as object),
        ...labels,
        'ovn.kubernetes.io/subnet': nic.subnet,
      },
    },
  } as GivenObject);
  cluster.labels.set({
    kind: 'IP',
    uid: object.metadata.uid,
    name,
    by: 'kube-ovn',
    owners: keepersOf(pod),
    addresses: nic.address.ips.map((ip) => `${nic.subnet} ${ip}`),
  });
  cluster.diary.push(`IP ${name} ${nic.address.ips.join(',')}`);
  return true;
}

/** The port of its name goes, then its finalizer; without its Subnet the port is left (§6.2). */
function* finish({ cluster, ipam }: Controller, name: string): Job {
  const ip = cluster.objects.get('IP', undefined, name);
  if (ip?.metadata.deletionTimestamp === undefined) return;
  const { subnet = '' } = ip['spec'] as { subnet?: string };
  if (cluster.objects.get('Subnet', undefined, subnet) && dropPort(cluster, name)) yield;
  ipam.release(name);
  cluster.objects.remove('IP', undefined, name);
  cluster.diary.push(`IP ${name} gone`);
  yield;
}

/** Counts what is recorded, and writes it where it is not what is written (§6.5). */
function* count({ cluster }: Controller, name: string): Job {
  const subnet = cluster.objects.get('Subnet', undefined, name);
  if (!subnet) return;
  const using = countIn(cluster, name);
  const status = (subnet['status'] as Record<string, unknown> | undefined) ?? {};
  const isDual = (subnet['spec'] as { protocol?: string }).protocol === 'Dual';
  if (status['v4usingIPs'] === using) return;
  cluster.put({
    ...subnet,
    status: {
      ...status,
      v4usingIPs: using,
      v4availableIPs: 253 - using,
      ...(isDual && { v6usingIPs: using }),
    },
  } as unknown as GivenObject);
  yield;
}

/** As Kube-OVN counts: IP objects of the subnet, OvnEips, and Vips and IptablesEIPs with its label. */
export function countIn(cluster: Cluster, name: string): number {
  let using = 0;
  for (const it of cluster.objects.all('IP'))
    if ((it['spec'] as { subnet?: string }).subnet === name) using += 1;
  for (const kind of ['Vip', 'IptablesEIP'])
    for (const { metadata } of cluster.objects.all(kind)) {
      const labels = (metadata['labels'] ?? {}) as Record<string, string>;
      if (labels['ovn.kubernetes.io/subnet'] === name) using += 1;
    }
  for (const eip of cluster.objects.all('OvnEip'))
    if ((eip['spec'] as { externalSubnet?: string }).externalSubnet === name && isGivenEip(eip))
      using += 1;
  return using;
}

/** One that only asks for an address has neither status nor labels. */
export const isGivenEip = (eip: KubernetesObject): boolean =>
  eip['status'] !== undefined || eip.metadata['labels'] !== undefined;

const recount = (controller: Controller, subnet: string): void =>
  controller.enqueue(`count ${subnet}`, count(controller, subnet));

/** An external address came or went. */
export const eips: Handler = (controller, event) => {
  if (event.is === 'all') return;
  recount(controller, (event.object['spec'] as { externalSubnet: string }).externalSubnet);
};

/** A reserved address came, was given or went. */
export const recountVips: Handler = (controller, event) => {
  if (event.is === 'all') return;
  recount(controller, (event.object['spec'] as { subnet: string }).subnet);
};

export const recountIptablesEips: Handler = (controller) => recount(controller, EXTERNAL);

export const ips: Handler = (controller, event) => {
  if (event.is === 'all') return;
  const { object } = event;
  const name = object.metadata.name;
  if (event.is === 'now' && object.metadata.deletionTimestamp !== undefined)
    controller.enqueue(`ip ${name}`, finish(controller, name));
  recount(controller, (object['spec'] as { subnet?: string }).subnet ?? '');
};
