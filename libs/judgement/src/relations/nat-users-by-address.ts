import { formatIp, ipsIn } from '@ovn-steward/shared/address';
import { externalAddressesOf } from '../kube-ovn/external-addresses';
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
  keys: (user) =>
    user.kind === 'Pod'
      ? ofPod(user as Entity<'Pod'>)
      : externalAddressesOf(user as Entity<'OvnFip'>),
});

const ofPod = ({ object: { metadata } }: Entity<'Pod'>): string[] =>
  ipsIn(POD_KEYS.map((key) => metadata.annotations?.[key])).map(formatIp);
