import { formatIp } from '@ovn-steward/shared/address';
import { isBeingDeleted } from '../kube-ovn/deletion';
import {
  formerFacts,
  isStillGiven,
  keptFor,
  OWNER,
  ownerNow,
  textOf,
} from '../rule-kit/former-address';
import { recordedAddresses } from '../rule-kit/kept-address';
import { present, value } from '../rule-kit/facts';
import { defineRule, healthy, violation } from '../rule-kit/rule';

/**
 * A pod of a StatefulSet, or a machine, that came back with another address, though nobody asked
 * for that.
 *
 * The periodic collection takes port and record of a StatefulSet's pod that is absent for two
 * passes (kube-ovn.md §4.17, row 29); and where a machine's first interface changes its subnet,
 * older releases delete the records of all its interfaces (row 23). The records that are compared
 * are of one interface in one subnet. Only what the engine saw vanish is known (`FormerAddresses`).
 */
export default defineRule({
  id: 'kept-address-changed',
  class: 'drift',
  severity: 'warning',
  subject: 'Former_Address',
  reads: ['IP', 'StatefulSet', 'VirtualMachine', 'Subnet'],
  about:
    'A pod of a StatefulSet or a machine has another address than before, in the same subnet, and neither it nor its namespace asked for one: its address record was deleted while no pod used it, by the collection of Kube-OVN or by a person, which nothing records. Update who knows the former address; `ovn.kubernetes.io/ip_reserved: "true"` on the IP object makes the collection keep it. A restart does not bring the former one back.',

  check(former, view) {
    const now = view.get('IP', former.name);
    if (!now || now.uid === former.uid || isBeingDeleted(now)) return healthy;
    const { spec, deletedAt } = former.object;
    if (now.object.spec?.subnet !== spec.subnet) return healthy;
    const has = new Set(recordedAddresses(now.object.spec).map(formatIp));
    const lost = recordedAddresses(spec)
      .map(formatIp)
      .filter((it) => !has.has(it));
    const owner = ownerNow(former, view);
    if (has.size === 0 || lost.length === 0 || owner === 'changed' || !isStillGiven(former, view))
      return healthy;
    return violation({
      summary: `${capital(keptFor(former))} has ${[...has].join(', ')} of subnet ${spec.subnet}, and had ${textOf(spec)}: IP ${former.name} was deleted at ${deletedAt} while no pod used it`,
      concerns: [now],
      owner: OWNER,
      proof: [
        ...formerFacts(former, owner),
        present(now),
        value(now, 'spec.ipAddress', now.object.spec?.ipAddress ?? ''),
      ],
    });
  },
});

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
