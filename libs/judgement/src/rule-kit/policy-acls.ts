import { formatRange, parseCidr } from '@ovn-steward/shared/address';
import { addressesOf } from '@ovn-steward/shared/port-addresses';
import type { Entity } from '../world/entity';
import type { AdminPolicyPort, NetworkPolicyPort } from '../world/kubernetes-objects';

/** The address families as Kube-OVN names them in its address sets, and the field of a match. */
export const FAMILIES = [
  ['IPv4', 'ip4'],
  ['IPv6', 'ip6'],
] as const;

export type Family = (typeof FAMILIES)[number][0];

/**
 * The term that Kube-OVN puts into the match for a port: `tcp.dst == 80`, `80 <= tcp.dst <= 90`, or
 * `tcp` for all of them; the same in v1.12 to v1.17 (`newNetworkPolicyACLMatch`). Undefined for a
 * port with a name, whose number is that of a container, and where the protocol was not read.
 */
export function portTerm({ protocol, port, endPort }: NetworkPolicyPort): string | undefined {
  if (protocol === undefined) return undefined;
  const name = protocol.toLowerCase();
  if (port === undefined) return name;
  if (typeof port !== 'number') return undefined;
  return endPort === undefined ? `${name}.dst == ${port}` : `${port} <= ${name}.dst <= ${endPort}`;
}

/**
 * The same for a port of an AdminNetworkPolicy or its like (`newAnpACLMatch`); undefined for
 * `namedPort`, of which Kube-OVN makes no ACL.
 */
export function adminPortTerm({ portNumber, portRange }: AdminPolicyPort): string | undefined {
  const one = fieldsOf(portNumber);
  if (one) return portTerm({ protocol: textOf(one['protocol']), port: one['port'] ?? 'unread' });
  const { protocol, start, end } = fieldsOf(portRange) ?? {};
  if (typeof end !== 'number') return undefined;
  return portTerm({ protocol: textOf(protocol), port: start ?? 'unread', endPort: end });
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null ? { ...value } : undefined;

/** The terms that none of the ACLs has. */
export const withoutAcl = (
  terms: readonly (string | undefined)[],
  acls: readonly Entity<'ACL'>[],
): readonly string[] =>
  terms
    .filter((it): it is string => it !== undefined)
    .filter((term) => !acls.some((it) => termsOf(it).includes(term)));

/** The terms of a match that Kube-OVN wrote, which joins them with `&&`. */
export const termsOf = (acl: Entity<'ACL'>): readonly string[] =>
  (acl.object.match ?? '').split(' && ');

/**
 * A network by family and in one way of writing: `10.0.0.5/8` is `10.0.0.0/8`. Undefined if it is
 * none.
 */
export function blockOf(
  text: string,
): { readonly family: Family; readonly block: string } | undefined {
  try {
    const { range } = parseCidr(text);
    return { family: range.family === 4 ? 'IPv4' : 'IPv6', block: formatRange(range) };
  } catch {
    return undefined;
  }
}

/**
 * Whether the match names the CIDR as the one address of a peer. Releases up to v1.14, and early
 * ones of v1.15, put an `ipBlock` into the address set of the rule instead.
 */
export function namesBlock(acl: Entity<'ACL'>, field: string, block: string): boolean {
  const peers = (acl.object.match ?? '').matchAll(/(ip[46]\.(?:src|dst)) == ([\d.:a-fA-F]+\/\d+)/g);
  return [...peers].some(([, of, cidr]) => of === field && blockOf(cidr!)?.block === block);
}

/** Whether the port has an address of the family, as its own columns say. */
export const hasAddressOf = (port: Entity<'Logical_Switch_Port'>, family: Family): boolean =>
  (port.object.addresses ?? [])
    .flatMap((it) => addressesOf(it).ips)
    .some((it) => it.family === (family === 'IPv4' ? 4 : 6));
