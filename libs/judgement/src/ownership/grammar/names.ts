import { createHash } from 'node:crypto';
import type { StringMap } from '../../world/ovn-rows';

/**
 * Port group and address set names may not hold `-`; Kube-OVN writes `.` in its place, so two
 * objects may share a name.
 */
export const flatten = (name: string): string => name.replaceAll('-', '.');

/** The name of the port group of a SecurityGroup (`GetSgPortGroupName`, pkg/ovs/util.go). */
export const portGroupOfSecurityGroup = (name: string): string => `ovn.sg.${flatten(name)}`;

/** `a/b` in its two parts; undefined when it is not of that form. */
export function pairOf(value: string): readonly [string, string] | undefined {
  const parts = value.split('/');
  return parts.length === 2 && parts[0] !== '' && parts[1] !== ''
    ? [parts[0]!, parts[1]!]
    : undefined;
}

/**
 * The name as it is, and as Kube-OVN writes it when its first rune is not a letter: with a prefix
 * (`np`, `anp`, …).
 */
export const prefixedNames = (prefix: string, name: string): readonly string[] =>
  /^\p{L}/u.test(name) ? [name] : [name, prefix + name];

/**
 * The stem of all names of a VpcEgressGateway's rows, from `namespace/name`
 * (pkg/controller/vpc_egress_gateway.go).
 */
export const egressGatewayName = (key: string): string =>
  `VEG.${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;

/** The names of the keys beside `vendor`, sorted: what sort of row of its table this is. */
export const kindOfKeys = (ids: StringMap): string => {
  const names = Object.keys(ids).filter((it) => it !== 'vendor');
  return names.length < 2 ? (names[0] ?? '') : names.sort().join(' ');
};

/**
 * The name of the port by which the switch of a Subnet on a Vlan reaches the physical network
 * (`GetLocalnetName`, pkg/ovs/util.go, v1.12 to master). Before v1.12 it was `ln-<subnet>`.
 */
export const uplinkPortOf = (subnet: string): string => `localnet.${subnet}`;
