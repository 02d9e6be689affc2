import { partOf, textPartOf } from '@ovn-steward/judgement/readiness/part-of';
import {
  boundSubnets,
  subnetWaitsFor,
  vpcNameOf,
} from '@ovn-steward/judgement/readiness/subnet-waits-for';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';

/**
 * What the subnets of a namespace wait for before a pod recreated there would get an address of one
 * of them; undefined when it would: each is ready, and one at least says that it has an address
 * left for each family (kube-ovn.md §8.2). Otherwise it would land where the old one was, or
 * nowhere.
 * @throws Failure when it cannot be read.
 */
export async function networkWaitsFor(
  namespaceName: string,
  kubernetes: Pick<Kubernetes, 'get'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const namespace = await kubernetes.get('Namespace', undefined, namespaceName, signal);
  const names = [...boundSubnets(namespace)];
  if (names.length === 0) return `Kube-OVN to bind Namespace ${namespaceName} to a Subnet`;
  let hasRoom = false;
  for (const name of names) {
    const subnet = await kubernetes.get('Subnet', undefined, name, signal);
    const vpc = vpcNameOf(subnet);
    const waits = subnetWaitsFor({
      name,
      subnet,
      vpc: vpc === undefined ? undefined : await kubernetes.get('Vpc', undefined, vpc, signal),
    });
    if (waits.length > 0) return waits.join('; ');
    hasRoom ||= hasAddresses(subnet);
  }
  return hasRoom ? undefined : `an address to be free in Subnet ${names.join(', ')}`;
}

const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  IPv4: ['v4'],
  IPv6: ['v6'],
  Dual: ['v4', 'v6'],
};

/**
 * Whether its status says so; a protocol we do not know, or a count that is not there, says
 * nothing.
 */
function hasAddresses(subnet: unknown): boolean {
  const families = FAMILIES[textPartOf(subnet, 'spec', 'protocol') ?? ''] ?? [];
  return (
    families.length > 0 &&
    families.every((it) => Number(partOf(subnet, 'status', `${it}availableIPs`) ?? 0) > 0)
  );
}
