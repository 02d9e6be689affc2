import { formatIp } from '@ovn-steward/shared/address';
import type { HolderKind } from '../kube-ovn/address-holders';
import { HOLDER_KINDS, holdingsOf } from '../kube-ovn/address-holders';
import type { Entity } from '../world/entity';
import { defineRelation } from '../world/relation';

/** Kube-OVN's address records by `<subnet> <address>`, the address in one spelling. */
export const holdersByAddress = defineRelation({
  id: 'holders-by-address',
  kinds: HOLDER_KINDS,
  keys: (holder) =>
    holdingsOf(holder as Entity<HolderKind>).flatMap(({ subnet, addresses }) =>
      addresses.map((it) => `${subnet} ${formatIp(it)}`),
    ),
});
