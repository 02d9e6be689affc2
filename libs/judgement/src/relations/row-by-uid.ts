import { isSameNeighbour } from '../ownership/same-neighbour';
import { defineRelation } from '../world/relation';

/** Every Northbound row by its `_uuid`, whatever its table. */
export const rowByUid = defineRelation({
  id: 'row-by-uid',
  kinds: 'ovn-nb',
  keys: (row) => [row.uid],
  same: isSameNeighbour,
});
