import { ascendingBy } from '@ovn-steward/shared/compare';
import { formatIp } from '@ovn-steward/shared/address';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { holdersByAddress } from '../relations/holders-by-address';
import { podsByMachine } from '../relations/pods-by-machine';
import { absent } from '../rule-kit/facts';
import {
  formerFacts,
  isStillGiven,
  keptFor,
  OWNER,
  ownerNow,
  textOf,
} from '../rule-kit/former-address';
import { recordedAddresses, heldFor } from '../rule-kit/kept-address';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { HOLDER_KINDS, type HolderKind } from '../kube-ovn/address-holders';
import { type Entity, keyOf } from '../world/entity';

/** Holders of one address that are named. */
const ENOUGH = 3;

/**
 * An address that was kept for a pod or machine that is not running, and is kept no more.
 *
 * The collection at a start deletes reservations whose pod does not exist (kube-ovn.md §4.14, row
 * 31), the periodic one the record of a StatefulSet's pod that is absent for two passes (§4.17, row
 * 29), and v1.14.0 to v1.14.4 those of halted machines with a Multus network (row 17). A
 * reservation without an owner that a person deleted looks the same: it is reported only where it
 * went within a minute after a controller took the lead.
 */
export default defineRule({
  id: 'kept-address-lost',
  class: 'drift',
  severity: 'warning',
  subject: 'Former_Address',
  reads: ['IP', 'Pod', 'StatefulSet', 'VirtualMachine', 'Subnet'],
  consults: [...HOLDER_KINDS],
  about:
    'The address record of a StatefulSet’s absent pod, a stopped machine or a reservation was deleted, though the set or machine exists and wants it: the address can be given to others, and the pod comes back with another. Create the IP object again, as a reservation with the former address, before the pod comes back; if a person deleted it on purpose, suppress the finding. A restart does not bring it back.',

  check(former, view) {
    const { spec, deletedAt, keeper, ledSince } = former.object;
    const pod = heldFor(former.object);
    if (view.presence('IP', former.name) !== 'absent') return healthy;
    if (view.presence('Pod', pod) !== 'absent') return healthy;
    if (keeper?.kind === 'VirtualMachine' && view.has(podsByMachine, pod)) return healthy;
    const owner = ownerNow(former, view);
    if (owner === 'changed' || !isStillGiven(former, view)) return healthy;
    const holders = holdersOf(former, view);
    const when =
      ledSince === undefined
        ? `deleted at ${deletedAt}`
        : `deleted at ${deletedAt}, after a controller took the lead at ${ledSince}`;
    const now =
      holders.length === 0
        ? 'which anybody may get now'
        : `which ${holders.map((it) => `${it.kind} ${keyOf(it)}`).join(', ')} has now`;
    return violation({
      summary: `IP ${former.name} kept ${textOf(spec)} of subnet ${spec.subnet}, ${now}, for ${keptFor(former)}, and was ${when}`,
      concerns: holders,
      owner: OWNER,
      proof: [absent('IP', former.name), absent('Pod', pod), ...formerFacts(former, owner)],
    });
  },
});

/** Who has the addresses by now, as far as that is known. */
function holdersOf(
  { object: { spec } }: Entity<'Former_Address'>,
  view: View<HolderKind>,
): readonly Entity<HolderKind>[] {
  return recordedAddresses(spec)
    .flatMap((it) => view.related(holdersByAddress, `${spec.subnet} ${formatIp(it)}`, ENOUGH))
    .filter((it) => !isBeingDeleted(it))
    .sort(ascendingBy((it) => it.uid));
}
