import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import type { PolicyOwnerKind } from '../kube-ovn/policy-readings';
import { presenceOf } from './policy-owners';
import { readingsOf } from '../kube-ovn/policy-readings';
import { isFromSpec, ownersOfPolicy } from './router-policies';
import type { View } from './view';

/** What must be read to decide whether a row that names another one is as dead as that. */
type Consulted = View<PolicyOwnerKind | 'Port_Group' | 'Logical_Router'>;

/**
 * A row that names this one in a match and does not go before it. To remove what such a row names
 * would make ovn-controller drop its flow (kube-ovn.md §4.9), so this keeps a group or set whatever
 * became of its owner.
 */
export function livingReferrer(row: Entity, view: Consulted): Entity | undefined {
  const doomed = new Map<string, boolean>();
  const isDoomedGroup = (uid: string): boolean => {
    if (uid === row.uid) return true;
    let known = doomed.get(uid);
    if (known === undefined) doomed.set(uid, (known = isGroupOfTheDead(uid, view)));
    return known;
  };
  return view.referrers(row).find((referrer) => {
    if (referrer.kind === 'ACL')
      return !(
        parentsOf(referrer).length > 0 &&
        parentsOf(referrer).every(({ kind, uid }) => kind === 'Port_Group' && isDoomedGroup(uid))
      );
    if (referrer.kind === 'Logical_Router_Policy')
      return !isPolicyOfTheDead(referrer as Entity<'Logical_Router_Policy'>, view);
    // A port is listed by the group, not the other way round.
    return referrer.kind !== 'Logical_Switch_Port';
  });
}

/** A group that will be removed: one that is kept keeps its ACLs, and they what they name. */
function isGroupOfTheDead(uid: string, view: Consulted): boolean {
  const group = view.byUid('Port_Group', uid);
  const readings =
    group && view.ownership(group).verdict === 'candidate'
      ? readingsOf(group.object.external_ids ?? {})
      : undefined;
  return readings?.every((it) => presenceOf(it, view) === 'absent') ?? false;
}

function isPolicyOfTheDead(policy: Entity<'Logical_Router_Policy'>, view: Consulted): boolean {
  if (view.ownership(policy).verdict !== 'candidate' || isFromSpec(policy, view)) return false;
  return ownersOfPolicy(policy).some(
    ({ kind, key }) => kind !== 'VpcNatGateway' && view.presence(kind, key) === 'absent',
  );
}
