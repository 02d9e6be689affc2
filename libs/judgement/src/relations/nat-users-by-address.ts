import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import type { Entity } from '../world/entity';
import { defineRelation } from '../world/relation';

const POD_KEYS = ['ovn.kubernetes.io/eip', 'ovn.kubernetes.io/snat'];

/**
 * What may have had a NAT made, by the external address it was given: OVN NAT rules, and pods with
 * an address of their own.
 */
export const natUsersByAddress = defineRelation({
  id: 'nat-users-by-address',
  kinds: ['OvnFip', 'OvnSnatRule', 'OvnDnatRule', 'Pod'],
  keys: (user) => {
    const { metadata } = user.object;
    const texts =
      user.kind === 'Pod'
        ? POD_KEYS.map((key) => metadata.annotations?.[key])
        : ofRule(user as Entity<'OvnFip'>);
    return texts.flatMap((it) => (it ? (tryParseIp(it) ?? []) : [])).map(formatIp);
  },
});

const ofRule = ({ object: { metadata, status } }: Entity<'OvnFip'>): (string | undefined)[] => [
  status?.v4Eip,
  status?.v6Eip,
  metadata.labels?.['ovn.kubernetes.io/eip_v4_ip'],
  metadata.labels?.['ovn.kubernetes.io/eip_v6_ip'],
];
