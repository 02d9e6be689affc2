import { compareValues } from './compare';
import { Address6 } from 'ip-address';
import { Failure } from './errors';

export type IpFamily = 4 | 6;

/**
 * An IP address as a number. Compare with `sameIp`, or by `formatIp` as a map key; never by the
 * text it was read from.
 */
export interface Ip {
  readonly family: IpFamily;
  /** 0 … 2^32-1 or 0 … 2^128-1. */
  readonly value: bigint;
}

/** Every address from `first` to `last`, both included. */
export interface IpRange {
  readonly family: IpFamily;
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * A network as written: `10.0.0.1/24` keeps its host address, as OVN's
 * `Logical_Router_Port.networks` needs.
 */
export interface Cidr {
  readonly address: Ip;
  readonly prefix: number;
  /** The whole network, network and broadcast addresses included. */
  readonly range: IpRange;
}

const LONGEST_TEXT = 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255'.length;
/** Decimal without leading zeros, each number up to 255. */
const IPV4 =
  /^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;
const IPV6 = /^[0-9a-fA-F]*:[0-9a-fA-F:.]*$/;
const MAPPED = 0xffffn;

const parsed = (text: string): Ip | undefined => {
  if (text.length > LONGEST_TEXT) return undefined;
  try {
    const bytes = IPV4.exec(text);
    if (bytes)
      return {
        family: 4,
        value: BigInt(
          ((Number(bytes[1]) * 256 + Number(bytes[2])) * 256 + Number(bytes[3])) * 256 +
            Number(bytes[4]),
        ),
      };
    if (!IPV6.test(text)) return undefined;
    const value = new Address6(text).bigInt();
    return value >> 32n === MAPPED
      ? { family: 4, value: value & 0xffffffffn }
      : { family: 6, value };
  } catch {
    return undefined; // the parser's way to say no; the caller names the text
  }
};

/**
 * Two generations of this size: the same addresses are read again and again, and a hostile source
 * must not fill the memory.
 */
const GENERATION = 65_536;
let young = new Map<string, Ip>();
let old = new Map<string, Ip>();

/**
 * The address, or undefined when the text is not one. Strict: leading zeros (`010.0.0.1`), short
 * forms (`10.1`), spaces, brackets, zone ids (`fe80::1%eth0`) and prefix lengths are refused. An
 * IPv4-mapped IPv6 address (`::ffff:10.0.0.1`, RFC 4291 §2.5.5.2) is the IPv4 address, as both OVS
 * and Kube-OVN (Go's `net.IP`) take it.
 */
export function tryParseIp(text: string): Ip | undefined {
  const recent = young.get(text);
  if (recent) return recent;
  const ip = old.get(text) ?? parsed(text);
  if (!ip) return undefined;
  if (young.size >= GENERATION) {
    old = young;
    young = new Map();
  }
  young.set(text, ip);
  return ip;
}

const invalid = (text: string, wanted: string): Failure =>
  new Failure(
    'address-invalid',
    `${JSON.stringify(text.slice(0, 100))} is not ${wanted}; correct it where it is written.`,
  );

/** As `tryParseIp`, but throws Failure `address-invalid` for text that is not an address. */
export function parseIp(text: string): Ip {
  const ip = tryParseIp(text);
  if (!ip) throw invalid(text, 'an IP address');
  return ip;
}

/** The addresses among the texts. A text that is missing, or is no address, gives none. */
export const ipsIn = (texts: readonly (string | undefined)[]): Ip[] =>
  texts.flatMap((it) => (it ? (tryParseIp(it) ?? []) : []));

/** The one text of an address: dotted decimal, or RFC 5952 for IPv6. */
export function formatIp({ family, value }: Ip): string {
  if (family === 6) return Address6.fromBigInt(value).correctForm();
  const bits = Number(value);
  return `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
}

export const sameIp = (a: Ip, b: Ip): boolean => a.family === b.family && a.value === b.value;

/** For sorting: IPv4 before IPv6, then by number. */
export function compareIp(a: Ip, b: Ip): number {
  if (a.family !== b.family) return a.family - b.family;
  return compareValues(a.value, b.value);
}

/**
 * `address/length`, the length in plain decimal within the family's width. Throws Failure
 * `address-invalid`.
 */
export function parseCidr(text: string): Cidr {
  const slash = text.indexOf('/');
  const address = slash < 0 ? undefined : tryParseIp(text.slice(0, slash));
  const length = text.slice(slash + 1);
  const mapped = address?.family === 4 && text.includes(':'); // the length would count from another origin
  const width = address?.family === 4 ? 32 : 128;
  if (!address || mapped || !/^(?:0|[1-9]\d{0,2})$/.test(length) || Number(length) > width)
    throw invalid(text, 'a network (address/length)');
  const prefix = Number(length);
  const hosts = (1n << BigInt(width - prefix)) - 1n;
  const first = address.value & ~hosts;
  return { address, prefix, range: { family: address.family, first, last: first | hosts } };
}

/**
 * One entry of an address list: `a`, `a..b` (OVN `exclude_ips`, Kube-OVN `excludeIps`), `a-b`
 * (Kube-OVN status ranges), or a CIDR, which means the whole network. Throws Failure
 * `address-invalid`, also when a range runs backwards.
 */
export function parseRange(text: string): IpRange {
  if (text.includes('/')) return parseCidr(text).range;
  const [from, to, ...rest] = text.split(text.includes('..') ? '..' : '-');
  const first = tryParseIp(from ?? '');
  const last = to === undefined ? first : tryParseIp(to);
  if (
    !first ||
    !last ||
    rest.length > 0 ||
    first.family !== last.family ||
    first.value > last.value
  )
    throw invalid(text, 'an address, a range or a network');
  return { family: first.family, first: first.value, last: last.value };
}

/**
 * A list of ranges separated by commas (Kube-OVN: `10.17.0.2-10.17.0.30,10.17.0.240`) or blanks
 * (OVN `exclude_ips`); in the order written, not merged. Empty text is an empty list; an empty
 * element is an error. Throws Failure `address-invalid`.
 */
export function parseRanges(text: string): IpRange[] {
  const list = text.trim();
  return list === '' ? [] : list.split(/\s*,\s*|\s+/).map(parseRange);
}

/** `a` or `a-b`, as Kube-OVN writes its status. */
export function formatRange({ family, first, last }: IpRange): string {
  const from = formatIp({ family, value: first });
  return first === last ? from : `${from}-${formatIp({ family, value: last })}`;
}
