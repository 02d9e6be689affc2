import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { tryParseCidr } from './cidr';
import type { Entity } from './entity';

/** Which rule has which NAT made (kube-ovn.md §1); an OvnDnatRule has a load balancer made instead. */
export const MAKES: Readonly<Record<string, string>> = { OvnFip: 'dnat_and_snat', OvnSnatRule: 'snat' };

/** Whether the rule, which has the external address, may have had a NAT of that type for that internal address or network made. What it does not say may be this. */
export function mayHaveMade(rule: Entity<'OvnFip'> | Entity<'OvnSnatRule'>, type: string, logical: string): boolean {
  if (MAKES[rule.kind] !== undefined && MAKES[rule.kind] !== type) return false;
  const { spec, status } = rule.object;
  const texts = logical.includes(':') ? [status?.v6Ip, status?.v6IpCidr, spec?.v6Ip, spec?.v6IpCidr] : [status?.v4Ip, status?.v4IpCidr, spec?.v4Ip, spec?.v4IpCidr];
  const said = texts.filter((it): it is string => typeof it === 'string' && it !== '');
  return said.length === 0 || said.some((it) => network(it) === network(logical));
}

/** One spelling of an address or network; a text that is neither stands for itself. */
function network(text: string): string {
  const host = tryParseIp(text);
  if (host) return `${formatIp(host)}/${host.family === 4 ? 32 : 128}`;
  const block = tryParseCidr(text);
  return block ? `${formatIp({ family: block.range.family, value: block.range.first })}/${block.prefix}` : text;
}
