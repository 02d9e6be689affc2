import { type Ip, tryParseIp, parseCidr } from './address';

/** What one element of OVN's `Logical_Switch_Port.addresses` says. */
export interface PortAddresses {
  /**
   * static: a MAC and its IPs, possibly none. dynamic: OVN's own IPAM chooses what is missing (see
   * `dynamic_addresses`). unknown: the port receives what no other port claims. router: it has the
   * addresses of its router port. unparsable: `ips` holds what could be read, and there may be
   * more.
   */
  readonly form: 'static' | 'dynamic' | 'unknown' | 'router' | 'unparsable';
  /** Lower case, colons; null when the element names none. */
  readonly mac: string | null;
  readonly ips: readonly Ip[];
  /** For `unparsable` only: what was wrong, for a person. */
  readonly problem: string | null;
}

const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i;

/** OVN takes `ip/length` too and means the address. */
function ipOf(word: string): Ip | undefined {
  if (!word.includes('/')) return tryParseIp(word);
  try {
    return parseCidr(word).address;
  } catch {
    return undefined;
  }
}

/**
 * Reads one element of `Logical_Switch_Port.addresses` (ovn-nb(5)): `MAC ip ip…`, `MAC`, `unknown`,
 * `router`, `dynamic`, `dynamic ip…`, `MAC dynamic`; also fits `dynamic_addresses` and
 * `port_security`. Never throws: what is not understood is `unparsable`, which must be read as "may
 * hold any address", not as "holds none".
 */
export function addressesOf(element: string): PortAddresses {
  const words = element.split(/\s+/).filter((word) => word !== '');
  if (words.length === 1 && (words[0] === 'unknown' || words[0] === 'router'))
    return { form: words[0], mac: null, ips: [], problem: null };
  const mac = MAC.test(words[0] ?? '') ? (words[0] ?? '').toLowerCase() : null;
  const rest = mac ? words.slice(1) : words;
  const dynamic = rest[0] === 'dynamic';
  const written = dynamic ? rest.slice(1) : rest;
  const read = written.map((word) => ({ word, ip: ipOf(word) }));
  const ips = read.flatMap(({ ip }) => (ip ? [ip] : []));
  const stranger = read.find(({ ip }) => !ip);
  const problem = stranger
    ? `${JSON.stringify(stranger.word.slice(0, 100))} is not an address`
    : mac || dynamic
      ? null
      : 'no MAC address';
  return { form: problem ? 'unparsable' : dynamic ? 'dynamic' : 'static', mac, ips, problem };
}
