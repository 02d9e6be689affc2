import { namesInMatch } from '../ownership/match-names';
import { aclsByHolder } from '../relations/acls-by-holder';
import type { Entity } from '../world/entity';
import type { View } from './view';

/** The address sets that the ACLs of the group name. */
export function setsInUse(group: Entity<'Port_Group'>, view: View<'ACL'>): ReadonlySet<string> {
  const acls = view.related(aclsByHolder, group.uid);
  return new Set(acls.flatMap((it) => namesInMatch(it.object.match ?? '').addressSets));
}
