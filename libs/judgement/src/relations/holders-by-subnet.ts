import type { HolderKind } from '../kube-ovn/address-holders';
import { HOLDER_KINDS, holdingsOf } from '../kube-ovn/address-holders';
import type { Entity } from '../world/entity';
import { defineRelation } from '../world/relation';

/** Kube-OVN's address records by subnet: thousands for one key, so read a few. */
export const holdersBySubnet = defineRelation({
  id: 'holders-by-subnet',
  kinds: HOLDER_KINDS,
  keys: (holder) => holdingsOf(holder as Entity<HolderKind>).map((it) => it.subnet),
});
