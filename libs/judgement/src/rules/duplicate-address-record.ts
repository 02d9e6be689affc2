import { ascendingBy } from '@ovn-steward/shared/compare';
import { formatIp } from '@ovn-steward/shared/address';
import { holdersByAddress } from '../relations/holders-by-address';
import { HOLDER_KINDS, holdingsOf, isPendingHolder } from '../kube-ovn/address-holders';
import type { HolderKind } from '../kube-ovn/address-holders';
import type { Entity } from '../world/entity';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { present, value } from '../rule-kit/facts';

/**
 * Records that are examined for one address: a broken tool may record the same one a thousand
 * times, and all pairs of them show no more.
 */
const ENOUGH = 50;

/**
 * One address of a subnet recorded by two objects. Kube-OVN counts it twice, so the subnet appears
 * fuller than it is, and releasing either frees the address under the other (kube-ovn.md §6.5,
 * rows 24, 37, 81).
 *
 * Reported on the IP object; between two IP objects on the younger. A Vip bound to the very port is
 * the same holder; what only asks for the address, and is refused because of the IP object, is none.
 */
export default defineRule({
  id: 'duplicate-address-record',
  class: 'drift',
  severity: 'warning',
  subject: 'IP',
  reads: [...HOLDER_KINDS],
  about:
    'One address is recorded by two objects of Kube-OVN. It is counted twice, and deleting either object frees it under the other. A restart does not change that.',

  check(ip, view) {
    if (isBeingDeleted(ip)) return healthy;
    const found = holdingsOf(ip).flatMap(({ subnet, addresses }) =>
      addresses.map(formatIp).flatMap((address) => {
        const others = view
          .related(holdersByAddress, `${subnet} ${address}`, ENOUGH)
          .filter(
            (holder) =>
              holder.uid !== ip.uid &&
              !isSameHolder(ip, holder) &&
              !isPendingHolder(holder) &&
              (holder.kind !== 'IP' || isYounger(ip, holder as Entity<'IP'>)),
          );
        return others.length > 0
          ? [{ subnet, address, others: [...others].sort(ascendingBy((it) => it.uid)) }]
          : [];
      }),
    );
    return violation(
      ...found.map(({ subnet, address, others }) => ({
        summary: `${address} of subnet ${subnet} is held by IP ${ip.name} and by ${others.map((it) => `${it.kind} ${it.name}`).join(', ')}`,
        part: { column: 'spec.ipAddress', key: address },
        concerns: others,
        proof: [
          value(ip, 'spec.ipAddress', ip.object.spec?.ipAddress ?? ''),
          present(ip),
          ...others.map((it) => present(it)),
        ],
      })),
    );
  },
});

/** A Vip that names the port as its user, or is being deleted, is no second holder. */
function isSameHolder(ip: Entity<'IP'>, other: Entity<HolderKind>): boolean {
  const { labels, deletionTimestamp } = other.object.metadata;
  return (
    deletionTimestamp !== undefined ||
    (other.kind === 'Vip' && labels?.['ovn.kubernetes.io/ip_reserved'] === ip.name)
  );
}

function isYounger(ip: Entity<'IP'>, other: Entity<'IP'>): boolean {
  const a = ip.object.metadata.creationTimestamp ?? '';
  const b = other.object.metadata.creationTimestamp ?? '';
  return a > b || (a === b && ip.uid > other.uid);
}
