import type { IpFamily } from '@ovn-steward/shared/address';
import { addressesOf } from '@ovn-steward/shared/port-addresses';
import { blockText } from '../kube-ovn/cidr';
import type { Entity } from '../world/entity';
import type {
  AdminPolicyPort,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '../world/kubernetes-objects';

/** Kube-OVN writes `IPv4` in names of address sets, and OVN `ip4` in a match. */
export const FAMILIES: readonly IpFamily[] = [4, 6];

/**
 * The directions of a NetworkPolicy: where its rules and their peers stand in the spec, and what the
 * ACLs made of them have as direction and as the end of the peer.
 */
export const POLICY_DIRECTIONS = [
  { type: 'Ingress', rules: 'ingress', peers: 'from', acls: 'to-lport', end: 'src' },
  { type: 'Egress', rules: 'egress', peers: 'to', acls: 'from-lport', end: 'dst' },
] as const;
export type PolicyDirection = (typeof POLICY_DIRECTIONS)[number];

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
  const fields = Object(portRange ?? portNumber) as Readonly<Record<string, unknown>>;
  const { protocol, port, start = port, end } = fields;
  if (typeof protocol !== 'string' || typeof start !== 'number') return undefined;
  if (portRange === undefined) return portTerm({ protocol, port: start });
  return typeof end === 'number' ? portTerm({ protocol, port: start, endPort: end }) : undefined;
}

/** What is said of a rule that names no port. */
const EVERY_PORT = 'every port';

/** What a port, or every port, is in a match: `tcp`, `udp.dst == 53`, `80 <= tcp.dst <= 90`. */
const OF_PORT = /^(?:\d+ <= )?(?:tcp|udp|sctp)(?:$|[. ])/;

/**
 * What of the ports of a rule (`portTerm`) none of the ACLs allows. A rule without ports is for all
 * of them, which Kube-OVN writes as an ACL that names none. Such an ACL allows the ports of another
 * rule for the same peer too.
 */
export const withoutAcl = (
  ports: readonly (string | undefined)[],
  acls: readonly Entity<'ACL'>[],
): readonly string[] => {
  if (acls.some((it) => !termsOf(it).some((term) => OF_PORT.test(term)))) return [];
  if (ports.length === 0) return [EVERY_PORT];
  return ports
    .filter((it): it is string => it !== undefined)
    .filter((term) => !acls.some((it) => termsOf(it).includes(term)));
};

/** The terms of a match that Kube-OVN wrote, which joins them with `&&`. */
export const termsOf = (acl: Entity<'ACL'>): readonly string[] =>
  (acl.object.match ?? '').split(' && ');

/**
 * Whether the match names the CIDR (a `blockText`) as the one address of a peer. Releases up to v1.14, and early
 * ones of v1.15, put an `ipBlock` into the address set of the rule instead.
 */
export function namesBlock(acl: Entity<'ACL'>, field: string, block: string): boolean {
  const peers = (acl.object.match ?? '').matchAll(/(ip[46]\.(?:src|dst)) == ([\d.:a-fA-F]+\/\d+)/g);
  return [...peers].some(([, of, cidr]) => of === field && blockText(cidr!) === block);
}

/** Whether the block is an address of a set, as in releases up to v1.14. */
export function isInSet(cidr: string, addresses: readonly string[] = []): boolean {
  const block = blockText(cidr);
  return addresses.some((it) => blockText(it) === block);
}

/**
 * Whether peers of a rule are in its address set, whose addresses are given: all where it names
 * none, selected pods, and an `ipBlock` in releases that put it there. A set that was filled for
 * other peers stays until the policy is handled again.
 */
export const areInSet = (
  peers: readonly NetworkPolicyPeer[],
  addresses: readonly string[] | undefined,
): boolean =>
  peers.length === 0 ||
  peers.some(({ ipBlock }) => ipBlock === undefined) ||
  peers.some(({ ipBlock }) => isInSet(ipBlock?.cidr ?? '', addresses));

/** Whether the port has an address of the family, as its own columns say. */
export const hasAddressOf = (port: Entity<'Logical_Switch_Port'>, family: IpFamily): boolean =>
  (port.object.addresses ?? [])
    .flatMap((it) => addressesOf(it).ips)
    .some((it) => it.family === family);
