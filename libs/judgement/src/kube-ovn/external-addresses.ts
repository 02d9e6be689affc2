import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import type { Entity } from '../world/entity';

/**
 * The external addresses that a rule was given, each once: by its status, or by the labels that the
 * controller keeps (kube-ovn.md §1). They stay when the rule is changed to name another OvnEip.
 */
export function externalAddressesOf({
  object: { metadata, status },
}: Entity<'OvnFip'> | Entity<'OvnSnatRule'> | Entity<'OvnDnatRule'>): string[] {
  const { labels = {} } = metadata;
  const texts = [
    status?.v4Eip,
    status?.v6Eip,
    labels['ovn.kubernetes.io/eip_v4_ip'],
    labels['ovn.kubernetes.io/eip_v6_ip'],
  ];
  return [...new Set(texts.flatMap((it) => (it ? (tryParseIp(it) ?? []) : [])).map(formatIp))];
}
