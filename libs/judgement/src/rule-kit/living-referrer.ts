import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import { ownerByRowName } from './owner-by-row-name';
import type { PolicyOwnerKind } from '../kube-ovn/policy-readings';
import { presenceOf } from './policy-owners';
import { readingsOf } from '../kube-ovn/policy-readings';
import { isFromSpec, ownersOfPolicy } from './router-policies';
import { switchInUse } from './switch-in-use';
import type { View } from './view';

/** What shows whether the rows that name a group or set are garbage as well. */
type Consulted = View<
  PolicyOwnerKind | 'Port_Group' | 'Logical_Router' | 'Logical_Switch' | 'Logical_Switch_Port'
>;

/**
 * An ACL, router policy or other row that names this port group or address set and is not to be
 * removed before it. ovn-controller drops a flow whose match names a missing set or group
 * (kube-ovn.md §4.9), so such a row keeps it, even where the owner is deleted.
 */
export function livingReferrer(row: Entity, view: Consulted): Entity | undefined {
  const garbage = new Map<string, boolean>();
  const isRemoved = (uid: string): boolean => {
    if (uid === row.uid) return true;
    let known = garbage.get(uid);
    if (known === undefined) garbage.set(uid, (known = isGarbageGroup(uid, view)));
    return known;
  };
  return view.referrers(row).find((referrer) => {
    if (referrer.kind === 'ACL')
      return !(
        parentsOf(referrer).length > 0 &&
        parentsOf(referrer).every(({ kind, uid }) => kind === 'Port_Group' && isRemoved(uid))
      );
    if (referrer.kind === 'Logical_Router_Policy')
      return !isGarbagePolicy(referrer as Entity<'Logical_Router_Policy'>, view);
    // A port is listed by the group, not the other way round.
    return referrer.kind !== 'Logical_Switch_Port';
  });
}

/** A group that will be removed: one that is kept keeps its ACLs, and they what they name. */
function isGarbageGroup(uid: string, view: Consulted): boolean {
  const group = view.byUid('Port_Group', uid);
  const readings =
    group && view.ownership(group).verdict === 'candidate'
      ? readingsOf(group.object.external_ids ?? {})
      : undefined;
  return (
    readings?.every((it) => presenceOf(it, view) === 'absent') === true &&
    ownerByRowName(group!, view) === undefined
  );
}

function isGarbagePolicy(policy: Entity<'Logical_Router_Policy'>, view: Consulted): boolean {
  if (view.ownership(policy).verdict !== 'candidate' || isFromSpec(policy, view)) return false;
  const gone = ownersOfPolicy(policy).filter(
    ({ kind, key }) => kind !== 'VpcNatGateway' && view.presence(kind, key) === 'absent',
  );
  return (
    gone.length > 0 && !gone.some(({ kind, key }) => kind === 'Subnet' && switchInUse(key, view))
  );
}
