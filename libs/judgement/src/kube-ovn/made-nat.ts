import { blockText } from './cidr';
import type { Entity } from '../world/entity';

/**
 * Which rule has which NAT made (kube-ovn.md §1); an OvnDnatRule has a load balancer made instead.
 */
export const MAKES: Readonly<Record<string, string>> = {
  OvnFip: 'dnat_and_snat',
  OvnSnatRule: 'snat',
};

/**
 * Whether the rule, which has the external address, may have had a NAT of that type for that
 * internal address or network made. What it does not say may be this.
 */
export function mayHaveMade(
  rule: Entity<'OvnFip'> | Entity<'OvnSnatRule'>,
  type: string,
  logical: string,
): boolean {
  if (MAKES[rule.kind] !== undefined && MAKES[rule.kind] !== type) return false;
  const { spec, status } = rule.object;
  const texts = logical.includes(':')
    ? [status?.v6Ip, status?.v6IpCidr, spec?.v6Ip, spec?.v6IpCidr]
    : [status?.v4Ip, status?.v4IpCidr, spec?.v4Ip, spec?.v4IpCidr];
  const addresses = texts.filter((it): it is string => typeof it === 'string' && it !== '');
  return addresses.length === 0 || addresses.some((it) => blockText(it) === blockText(logical));
}
