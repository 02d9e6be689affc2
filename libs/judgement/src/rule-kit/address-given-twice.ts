import { ascendingBy } from '@ovn-steward/shared/compare';
import { formatIp } from '@ovn-steward/shared/address';
import { type HolderKind, holdingsOf } from '../kube-ovn/address-holders';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { holdersByAddress } from '../relations/holders-by-address';
import type { Entity } from '../world/entity';
import { healthy, type Verdict, violation } from './rule';
import { present, value } from './facts';
import type { View } from './view';

type Given = Exclude<HolderKind, 'IP'>;

/** What the findings of two kinds are on. */
const RANKS: readonly HolderKind[] = ['Vip', 'OvnEip', 'IptablesEIP'];
/** As in `duplicate-address-record`. */
const ENOUGH = 50;

/**
 * One address of a subnet that Kube-OVN gave to a Vip and to an external address, or to two of
 * either: its status says so of both. With equal names both have one entry in the IPAM
 * (kube-ovn.md §6.6, row 81); else the entry of one was lost, as of a Vip at a start. Of two kinds
 * the first in `RANKS` is reported, of one kind the younger. An address that a spec requests and no
 * status has is held by nobody.
 */
export function addressGivenTwice(holder: Entity<Given>, view: View<HolderKind>): Verdict {
  if (isBeingDeleted(holder)) return healthy;
  const found = addressesGiven(holder).flatMap(({ subnet, address }) => {
    const others = view
      .related(holdersByAddress, `${subnet} ${address}`, ENOUGH)
      .filter((it): it is Entity<Given> => it.kind !== 'IP' && it.uid !== holder.uid)
      .filter((it) => !isBeingDeleted(it) && comesFirst(holder, it))
      .filter((it) => addressesGiven(it).some((its) => its.address === address));
    return others.length === 0 ? [] : [{ subnet, address, others: [...others].sort(byUid) }];
  });
  return violation(
    ...found.map(({ subnet, address, others }) => ({
      summary: `${address} of subnet ${subnet} is given to ${holder.kind} ${holder.name} and to ${others.map((it) => `${it.kind} ${it.name}`).join(', ')}${others.some((it) => it.name === holder.name) ? ', whose equal names are one entry in the IPAM' : ''}: deleting either frees it under the other`,
      part: { column: 'status', key: address },
      concerns: others,
      proof: [
        present(holder),
        ...others.map((it) => present(it)),
        ...[holder, ...others].map((it) => value(it, 'address in status', address)),
      ],
    })),
  );
}

const byUid = ascendingBy((it: Entity) => it.uid);

/** What the status says it has. */
function addressesGiven(holder: Entity<Given>): { subnet: string; address: string }[] {
  const { v4ip, v6ip, v4Ip, v6Ip, ip } = (holder.object.status ?? {}) as Record<string, unknown>;
  const given = new Set([v4ip, v6ip, v4Ip, v6Ip, ip]);
  return holdingsOf(holder).flatMap(({ subnet, addresses }) =>
    addresses
      .map(formatIp)
      .filter((it) => given.has(it))
      .map((address) => ({ subnet, address })),
  );
}

/** Whether a finding about both is about the one. */
function comesFirst(one: Entity<Given>, other: Entity<Given>): boolean {
  if (one.kind !== other.kind) return RANKS.indexOf(one.kind) < RANKS.indexOf(other.kind);
  const [a, b] = [one, other].map((it) => it.object.metadata.creationTimestamp ?? '');
  return a! > b! || (a === b && one.uid > other.uid);
}
