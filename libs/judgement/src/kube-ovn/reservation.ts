import type { Entity } from '../world/entity';

/**
 * Set to `true` on an IP object a user made to keep an address for a pod that need not exist yet
 * (Kube-OVN).
 */
const IP_RESERVED = 'ovn.kubernetes.io/ip_reserved';

/**
 * The controller labels every IP object it makes, or gives to a pod, with its subnet; one a user
 * made it does not (kube-ovn.md §1).
 */
const SUBNET = 'ovn.kubernetes.io/subnet';

/**
 * Whether the address is kept on purpose: the label says so, or a user requested it and the
 * controller has not noticed yet.
 */
export function isReserved({ object: { metadata } }: Entity<'IP'>): boolean {
  const labels = metadata.labels ?? {};
  return labels[IP_RESERVED] === 'true' || !Object.hasOwn(labels, SUBNET);
}
