import { textNames } from '@ovn-steward/judgement/ownership/references';
import { bearingChildren } from '@ovn-steward/judgement/relations/bearing-children';
import { protectingChildren } from '@ovn-steward/judgement/relations/protecting-children';
import { referrersByName } from '@ovn-steward/judgement/relations/referrers-by-name';
import { referrersByUid } from '@ovn-steward/judgement/relations/referrers-by-uid';
import { rowByUid } from '@ovn-steward/judgement/relations/row-by-uid';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import { parentsOf } from '@ovn-steward/judgement/world/ovn-rows';
import type { Question } from './question';

const of = (relation: { readonly id: string }, key: string): Question => ({
  ask: 'relation',
  relation: relation.id,
  key,
});

/**
 * What the ownership rules will query once they see the row, so that it is read in the same round
 * and not one by one: the rows that hold and list it, and for the subject also its parts and the
 * rows that refer to it. A needless query costs a select; an answer that the rule does not use in
 * the end counts for nothing.
 */
export function foreseenOf(row: Entity, isSubject: boolean): readonly Question[] {
  if (row.source !== 'ovn-nb') return [];
  const groups = row.object['_port_groups'];
  const near = [
    ...parentsOf(row).map((it) => it.uid),
    ...(Array.isArray(groups) ? (groups as string[]) : []),
  ].map((uid) => of(rowByUid, uid));
  if (!isSubject) return near;
  return [
    ...near,
    ...[protectingChildren, bearingChildren, referrersByUid].map((it) => of(it, row.uid)),
    ...textNames(row).map((it) => of(referrersByName, it)),
  ];
}
