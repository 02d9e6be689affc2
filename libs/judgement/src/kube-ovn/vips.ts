import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import type { Entity } from '../world/entity';

/**
 * `ip|port|protocol` in one spelling, so that compressed and written-out IPv6 are one vip.
 * Undefined for what is no address.
 */
export function vipKey(ip: string, port: number, protocol: string): string | undefined {
  const parsed = tryParseIp(ip);
  return parsed && `${formatIp(parsed)}|${port}|${protocol.toLowerCase()}`;
}

/** `any|port|protocol`: the port on whatever address. */
export const portKey = (port: number, protocol: string): string =>
  `any|${port}|${protocol.toLowerCase()}`;

/**
 * Splits a key of `Load_Balancer.vips`: `10.0.0.1:80`, `[fd00::1]:80`. A vip without port, or a
 * template, gives nothing.
 */
export function splitVip(text: string): { ip: string; port: number } | undefined {
  const found = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):([0-9]{1,5})$/.exec(text);
  return found ? { ip: (found[1] ?? found[2])!, port: Number(found[3]) } : undefined;
}

/** What a load balancer answers, as `ip|port|protocol`; a vip without port is none of them. */
export const answeredKeys = ({
  object: { vips = {}, protocol = 'tcp' },
}: Entity<'Load_Balancer'>): string[] =>
  Object.keys(vips).flatMap((text) => {
    const vip = splitVip(text);
    return (vip && vipKey(vip.ip, vip.port, protocol)) ?? [];
  });

/** On a Service that Kube-OVN made for a SwitchLBRule or a RouterLBRule: the addresses of the rule. */
export const RULE_ANNOTATIONS = [
  'ovn.kubernetes.io/switch_lb_vip',
  'ovn.kubernetes.io/router_lb_vip',
];

/**
 * Every address under which Kube-OVN may put a Service's ports into a load balancer
 * (kube-ovn.md §4.5, §1).
 */
export function serviceAddresses({
  object: { metadata, spec, status },
}: Entity<'Service'>): string[] {
  return [
    spec?.clusterIP,
    ...(spec?.clusterIPs ?? []),
    ...(spec?.externalIPs ?? []),
    spec?.loadBalancerIP,
    ...(status?.loadBalancer?.ingress ?? []).map((it) => it.ip),
    ...RULE_ANNOTATIONS.flatMap((key) => (metadata.annotations?.[key] ?? '').split(',')),
  ].filter((it): it is string => typeof it === 'string' && it !== '' && it !== 'None');
}
