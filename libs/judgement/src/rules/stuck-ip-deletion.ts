import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { podsByMachine } from '../relations/pods-by-machine';
import { addressClaimants, ownerText } from '../rule-kit/address-claimants';
import {
  CLAIMANT_KINDS,
  type ClaimantKind,
  claimsOf,
  RARE_CLAIMANT_KINDS,
} from '../rule-kit/claimants';
import { isOlderRelease, type Release } from '../kube-ovn/release';
import {
  CONTROLLER_KINDS,
  controllerGone,
  controllerIsGone,
  type ControllerKind,
} from '../rule-kit/controller';
import { controllerRelease } from '../rule-kit/controller-release';
import { held, isTerminating } from '../kube-ovn/deletion';
import type { Entity } from '../world/entity';
import { STAYS_TAKEN, withoutFinalizer } from '../rule-kit/last-finalizer';
import { removingLeft } from '../rule-kit/left-row';
import { isReserved } from '../kube-ovn/reservation';
import { stuckDeletion } from '../rule-kit/stuck-deletion';
import type { View } from '../rule-kit/view';
import { defineRule, unknown } from '../rule-kit/rule';
import { absent, absentRow, present } from '../rule-kit/facts';

/**
 * An IP object that is being deleted. The controller removes the port of that name, then the
 * finalizer; an update that came together with the deletion is dropped until its next start,
 * or until the object changes (kube-ovn.md §6.2, row 35).
 */
export default defineRule({
  id: 'stuck-ip-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'IP',
  reads: ['Subnet', 'Logical_Switch_Port'],
  consults: [...new Set([...CONTROLLER_KINDS, ...CLAIMANT_KINDS, ...RARE_CLAIMANT_KINDS])],
  about:
    'An IP object that does not finish its deletion, so its address stays taken and its subnet cannot be deleted.',
  remedy: 'strip-finalizer',

  check(ip, view) {
    const ports = view.named('Logical_Switch_Port', ip.name);
    const subnet = ip.object.spec?.subnet ?? '';
    const isLost = (): boolean => subnet !== '' && view.presence('Subnet', subnet) === 'absent';
    if (isTerminating(ip) && isLost() && !view.knows('Deployment'))
      return unknown(
        `not known which release of Kube-OVN runs, on which it depends whether the missing Subnet ${subnet} stops the deletion`,
      );
    const blockers = () => [
      ...(isLost() && looksForSubnet(view)
        ? [{ because: `its Subnet ${subnet} no longer exists` }]
        : []),
      ...held('its port has not been removed', ports),
    ];
    return stuckDeletion(ip, view, blockers, () => {
      if (ports.length === 0)
        return withoutFinalizer(ip, view, [absentRow('Logical_Switch_Port', ip.name)], STAYS_TAKEN);
      const isItsOwn = ports.every((it) => it.object.external_ids?.['pod'] === ownerText(ip));
      const unclaimed = isItsOwn && controllerIsGone(view) ? unclaimedAddress(ip, view) : undefined;
      return (
        unclaimed &&
        removingLeft(
          ports,
          view,
          [...controllerGone, ...unclaimed],
          'its IP is being deleted and no Kube-OVN controller is left to do it',
        )
      );
    });
  },
});

/**
 * The first of v1.14, of v1.15, and of all later ones whose controller finishes the deletion where
 * the Subnet is gone (pkg/controller/ip.go, handleUpdateIP).
 */
const DOES_WITHOUT: readonly Release[] = [
  [1, 14, 31],
  [1, 15, 3],
  [1, 16, 0],
];

/** Whether the controller stops where the Subnet is gone, or may, as its release is not known. */
function looksForSubnet(view: View<ControllerKind>): boolean {
  const release = controllerRelease(view);
  if (release === undefined) return true;
  const [major, minor] = release;
  const first =
    DOES_WITHOUT.find((it) => it[0] === major && it[1] === minor) ?? DOES_WITHOUT.at(-1)!;
  return isOlderRelease(release, first);
}

/**
 * The facts that nobody who could have the address is there; undefined where somebody is, or it is
 * not known. Who runs keeps the port, whatever becomes of the record.
 */
function unclaimedAddress(ip: Entity<'IP'>, view: View<ClaimantKind>): readonly Fact[] | undefined {
  const claimants = addressClaimants(ip);
  if (typeof claimants === 'string' || isReserved(ip)) return undefined;
  const claims = claimsOf(claimants, view);
  if (claims.by || claims.unknown.length > 0 || view.has(podsByMachine, ownerText(ip)))
    return undefined;
  return [
    ...claims.absent.map((it) => absent(it.kind, it.key)),
    ...claims.declined.map((it) => present(it)),
  ];
}
