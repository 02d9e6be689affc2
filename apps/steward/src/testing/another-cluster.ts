import type { Mutation, Raw } from './mutate';

const MAC = 'ovn.kubernetes.io/mac_address';

/** Another MAC address for each: Kube-OVN makes them at random, so two clusters share none. */
const otherMac = (mac: string): string =>
  mac.replace(/^../, (byte) => (byte === 'aa' ? 'a6' : 'aa'));

/**
 * Nodes, namespaces and networks of the same names; other addresses, and of what stands on them
 * only some.
 */
export function anotherCluster({ all, remove }: Mutation): void {
  for (const kind of ['Node', 'Pod'])
    for (const { metadata } of all(kind))
      if (metadata.annotations?.[MAC] !== undefined)
        metadata.annotations[MAC] = otherMac(metadata.annotations[MAC] as string);
  for (const ip of all('IP')) ip.spec.macAddress = otherMac(ip.spec.macAddress as string);
  for (const kind of [
    'Pod',
    'Service',
    'Vip',
    'VirtualMachine',
    'VirtualMachineInstance',
    'NetworkPolicy',
  ])
    for (const { metadata } of [...all(kind)].filter((_: Raw, index) => index % 2 === 0))
      remove(
        kind,
        metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`,
      );
}
