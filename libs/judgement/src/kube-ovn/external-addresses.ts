import { formatIp, ipsIn } from '@ovn-steward/shared/address';
import type { Entity } from '../world/entity';

/**
 * The external addresses that a rule was given, each once: by its status, or by the labels that the
 * controller keeps (kube-ovn.md §1). They stay when the rule is changed to name another OvnEip.
 */
export function externalAddressesOf({
  object: { metadata, status },
}: Entity<'OvnFip'> | Entity<'OvnSnatRule'> | Entity<'OvnDnatRule'>): string[] {
  const { labels = {} } = metadata;
  return eachOnce([
    status?.v4Eip,
    status?.v6Eip,
    labels['ovn.kubernetes.io/eip_v4_ip'],
    labels['ovn.kubernetes.io/eip_v6_ip'],
  ]);
}

/** The addresses that the OvnEip was given or requests, each once. */
export const addressesOfOvnEip = ({ object: { spec, status } }: Entity<'OvnEip'>): string[] =>
  eachOnce([status?.v4Ip, status?.v6Ip, spec?.v4Ip, spec?.v6Ip]);

/** The IPv4 addresses that the IptablesEIP was given or requests, each once. */
export const addressesOfIptablesEip = ({
  object: { spec, status },
}: Entity<'IptablesEIP'>): string[] => eachOnce([status?.ip, spec?.v4ip]);

const eachOnce = (texts: readonly (string | undefined)[]): string[] => [
  ...new Set(ipsIn(texts).map(formatIp)),
];
