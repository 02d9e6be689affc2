import type { Random } from './random';

/**
 * What Kube-OVN gives to one interface, and writes on its owner, its IP object and its port alike.
 */
export interface Address {
  readonly mac: string;
  /** One of each family the subnet has. */
  readonly ips: readonly string[];
}

const PREFIX = 'ovn.kubernetes.io/';

const byte = (random: Random): string => random.int(256).toString(16).padStart(2, '0');

/** MAC addresses are drawn, as Kube-OVN draws them: no two clusters have the same by chance. */
const macOf = (random: Random): string =>
  `0a:${Array.from({ length: 5 }, () => byte(random)).join(':')}`;

/** One that is free, most likely, of the subnet of that number, in these address families. */
export const drawAddress = (
  random: Random,
  subnet: number,
  families: 'IPv4' | 'IPv6' | 'Dual' = 'IPv4',
): Address => {
  const third = random.int(250);
  const fourth = 2 + random.int(250);
  const v4 = `10.${subnet}.${third}.${fourth}`;
  const v6 = `fd00:${subnet}::${(third * 256 + fourth).toString(16)}`;
  return {
    mac: macOf(random),
    ips: families === 'IPv4' ? [v4] : families === 'IPv6' ? [v6] : [v4, v6],
  };
};

/** As a port of the database lists it. */
export const portAddress = ({ mac, ips }: Address): string => [mac, ...ips].join(' ');

/**
 * As Kube-OVN records it on a pod or a node.
 * @param provider of an attachment: `<name>.<namespace>.ovn`; the pod's own interface by default.
 */
export const annotationsOf = (
  { mac, ips }: Address,
  subnet: string,
  provider = 'ovn',
): Readonly<Record<string, string>> => {
  const prefix = provider === 'ovn' ? PREFIX : `${provider.replace(/\.ovn$/, '')}.${PREFIX}`;
  return {
    [`${prefix}allocated`]: 'true',
    [`${prefix}ip_address`]: ips.join(','),
    [`${prefix}mac_address`]: mac,
    [`${prefix}logical_switch`]: subnet,
  };
};

/** What an IP object says of it. */
export const specOf = ({ mac, ips }: Address): Readonly<Record<string, string>> => ({
  ipAddress: ips.join(','),
  macAddress: mac,
  v4IpAddress: ips.find((it) => !it.includes(':')) ?? '',
  v6IpAddress: ips.find((it) => it.includes(':')) ?? '',
});

/** What was given to the pod or node of these annotations before, or to nobody. */
export function addressIn(
  annotations: Readonly<Record<string, string>> | undefined,
): Address | undefined {
  const mac = annotations?.[`${PREFIX}mac_address`];
  const ips = annotations?.[`${PREFIX}ip_address`];
  return mac === undefined || ips === undefined ? undefined : { mac, ips: ips.split(',') };
}
