import { weakReferences } from '../ownership/references';
import { isSameNeighbour } from '../ownership/same-neighbour';
import { defineRelation } from '../world/relation';

/** By target: the rows that hold it by a weak reference. */
export const referrersByUid = defineRelation({
  id: 'referrers-by-uid',
  kinds: 'ovn-nb',
  keys: (row) => weakReferences(row),
  same: isSameNeighbour,
});
