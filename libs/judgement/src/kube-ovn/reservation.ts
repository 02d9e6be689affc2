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
 * Whether the address is kept on purpose, or may be: the label says so, or a user requested it and
 * the controller has not noticed yet, or not to the end. `handleAddReservedIP`
 * (pkg/controller/ip.go) labels the record with its subnet and adds the finalizer, then labels it
 * as reserved; if that fails, no later attempt does, as there is a finalizer. A record that the
 * controller made for a pod says that it is not reserved (v1.13 on), or which node the pod ran on.
 */
export function isReserved({ object: { metadata, spec } }: Entity<'IP'>): boolean {
  const labels = metadata.labels ?? {};
  if (labels[IP_RESERVED] === 'true' || !Object.hasOwn(labels, SUBNET)) return true;
  return !Object.hasOwn(labels, IP_RESERVED) && (spec?.nodeName ?? '') === '';
}
