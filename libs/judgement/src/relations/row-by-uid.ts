import { localEvidence } from '../ownership/local-evidence';
import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/**
 * Every Northbound row by its `_uuid`, whatever its table. To its neighbours (`neighbourhoodOf`) a
 * row is the same while its name, its holders and what it says of its owner are: thousands of ports
 * depend on their switch and their groups, of which other columns change far more often.
 */
export const rowByUid = defineRelation({
  id: 'row-by-uid',
  kinds: 'ovn-nb',
  keys: (row) => [row.uid],
  same: (before, after) =>
    before.kind === after.kind && before.name === after.name && saidOf(before) === saidOf(after),
});

/** All that ownership reads of a neighbour, beside its table and name. */
function saidOf(row: Entity): string {
  const { owner, strength, evidence } = localEvidence(row);
  return JSON.stringify([owner, strength, evidence, parentsOf(row)]);
}
