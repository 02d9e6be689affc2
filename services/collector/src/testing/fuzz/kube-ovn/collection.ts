import { nameOf } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { alive, annotationOf, keyIn, remove } from '../cluster';
import type { Cluster } from '../cluster';
import type { Controller, Job } from './controller';
import { ensureIp } from './ips';
import { isLive, machineOf, networksOf } from './pod';
import { dropPort } from './rows';

const SUFFIX = '.kubernetes.io/allocated';

/**
 * Names of ports that somebody is known to have (kube-ovn.md §4.17). StatefulSets' pods that are
 * not there have none.
 */
function keptPorts(cluster: Cluster): ReadonlySet<string> {
  const kept = new Set<string>();
  for (const pod of cluster.objects.all('Pod')) {
    if (!isLive(pod)) continue;
    const { namespace = '', name } = pod.metadata;
    for (const [key, value] of Object.entries(
      (pod.metadata['annotations'] as object | undefined) ?? {},
    )) {
      if (!key.endsWith(SUFFIX) || value !== 'true') continue;
      const provider = key.slice(0, -SUFFIX.length);
      kept.add(
        nameOf({
          namespace,
          pod: machineOf(pod) ?? name,
          suffix: provider === 'ovn' ? '' : `.${provider}`,
        }),
      );
    }
  }
  for (const { metadata } of cluster.objects.all('Node')) kept.add(`node-${metadata.name}`);
  for (const { metadata } of cluster.objects.all('VirtualMachine'))
    kept.add(`${metadata.name}.${metadata.namespace}`);
  return kept;
}

/**
 * Every 360 s: ports nobody has in this round and the last go, with the IP object of their name
 * unless it is reserved (markAndCleanLSP, with the vendor filter on).
 */
export function* collectPorts(controller: Controller): Job {
  const { cluster } = controller;
  const kept = keptPorts(cluster);
  const found = new Set<string>();
  for (const [, row] of [...cluster.rows('Logical_Switch_Port')]) {
    const name = String(row['name']);
    if (row['type'] !== '' || keyIn(row['external_ids'], 'vendor') !== 'kube-ovn' || kept.has(name))
      continue;
    if (!controller.doomed.has(name)) {
      found.add(name);
      continue;
    }
    if (dropPort(cluster, name)) yield;
    const ip = cluster.objects.get('IP', undefined, name);
    if (ip && !isReserved(ip)) {
      cluster.diary.push(`IP ${name} collected`);
      remove(cluster, ip);
      yield;
    }
    controller.ipam.release(name);
  }
  controller.doomed = found;
}

const isReserved = (ip: { metadata: Readonly<Record<string, unknown>> }): boolean =>
  (ip.metadata['labels'] as Record<string, string> | undefined)?.[
    'ovn.kubernetes.io/ip_reserved'
  ] === 'true';

/**
 * The memory of addresses, from what is read; records that pods lack are made again (§6.1,
 * InitIPAM).
 */
export function* initialize({ cluster, ipam }: Controller): Job {
  for (const ip of cluster.objects.all('IP')) {
    const {
      podType = '',
      subnet = '',
      ipAddress = '',
    } = ip['spec'] as Record<string, string | undefined>;
    if (podType !== '' && alive(ip)) ipam.take(subnet, ipAddress, ip.metadata.name);
  }
  for (const pod of [...cluster.objects.all('Pod')]) {
    if (!isLive(pod) || annotationOf(pod, 'ovn.kubernetes.io/allocated') !== 'true') continue;
    const { namespace = '', name } = pod.metadata;
    for (const { provider, suffix } of networksOf(cluster, pod)) {
      const of = (what: string): string =>
        annotationOf(pod, `${provider}.kubernetes.io/${what}`) ?? '';
      const ips = of('ip_address');
      const mac = of('mac_address');
      const subnet = of('logical_switch');
      if (ips === '') continue;
      const nic = {
        namespace,
        pod: machineOf(pod) ?? name,
        suffix,
        subnet,
        address: { mac, ips: [ips] },
      };
      ipam.take(subnet, ips, nameOf(nic));
      if (!cluster.objects.get('IP', undefined, nameOf(nic)) && ensureIp(cluster, nic, pod)) yield;
    }
  }
  for (const node of cluster.objects.all('Node'))
    ipam.take(
      'join',
      annotationOf(node, 'ovn.kubernetes.io/ip_address') ?? '',
      `node-${node.metadata.name}`,
    );
  for (const vip of cluster.objects.all('Vip')) {
    const { subnet = '' } = vip['spec'] as { subnet?: string };
    const given = (vip['status'] as { v4ip?: string } | undefined)?.v4ip ?? '';
    if (given !== '') ipam.take(subnet, given, vip.metadata.name);
  }
}

/**
 * Once after a start: IP objects whose owner is gone, reserved or not, where the release asks
 * (§4.14, gcIP).
 */
export function* collectIps({ cluster }: Controller): Job {
  const { collectsIps } = cluster.release;
  if (collectsIps === 'no') return;
  for (const ip of [...cluster.objects.all('IP')]) {
    if (!alive(ip) || hasOwner(cluster, ip['spec'] as Record<string, string>, collectsIps))
      continue;
    cluster.diary.push(`IP ${ip.metadata.name} collected at the start`);
    remove(cluster, ip);
    yield;
  }
}

function hasOwner(
  cluster: Cluster,
  { namespace = '', podName = '', podType, subnet = '', nodeName }: Record<string, string>,
  requests: 'subnet' | 'owner',
): boolean {
  const { objects } = cluster;
  if (!objects.get('Subnet', undefined, subnet)) return false;
  if (requests === 'subnet') return true;
  if (namespace === '' && nodeName === podName)
    return objects.get('Node', undefined, podName) !== undefined;
  if (podType === 'VirtualMachine')
    return objects.get('VirtualMachine', namespace, podName) !== undefined;
  if (podType === 'StatefulSet')
    return objects.get('StatefulSet', namespace, podName.replace(/-\d+$/, '')) !== undefined;
  return objects.get('Pod', namespace, podName) !== undefined;
}
