import { formatIp } from '@ovn-steward/shared/address';
import { type HolderKind, holdingsOf } from '../kube-ovn/address-holders';
import type { Entity } from '../world/entity';
import type { Violation } from './rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { present, value } from './facts';

type Keyed = Entity<Exclude<HolderKind, 'IP'>>;

/**
 * That both hold addresses of one subnet under one key of Kube-OVN's IPAM. A Vip, an IptablesEIP
 * and an OvnEip are kept there under their bare name, and the deletion of one frees what the subnet
 * has under it (kube-ovn.md §6.6, row 81).
 */
export function sharedKey(one: Keyed, other: Keyed | undefined): Violation | undefined {
  if (!other || isBeingDeleted(one) || isBeingDeleted(other)) return undefined;
  const [ours, theirs] = [one, other].map((it) => holdingsOf(it)[0]);
  if (!ours || ours.subnet !== theirs?.subnet) return undefined;
  const [first, second] = [ours, theirs].map(({ addresses }) => addresses.map(formatIp).join(', '));
  if (!first || !second || first === second) return undefined;
  return {
    summary: `${one.kind} ${one.name} (${first}) and ${other.kind} ${other.name} (${second}) share a key in Kube-OVN's memory of subnet ${ours.subnet}: deleting either frees the address of both`,
    part: { column: 'metadata.name', key: other.kind },
    concerns: [other],
    proof: [
      present(one),
      value(one, 'addresses held', first),
      present(other),
      value(other, 'addresses held', second),
    ],
  };
}
