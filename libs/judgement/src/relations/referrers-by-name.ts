import { textReferences } from '../ownership/references';
import { isSameNeighbour } from '../ownership/same-neighbour';
import { defineRelation } from '../world/relation';

/**
 * By target's name in normal form (`pg:…`, `as:…`, `lsp:…`): the rows whose text mentions it; the
 * database checks none of these.
 */
export const referrersByName = defineRelation({
  id: 'referrers-by-name',
  kinds: 'ovn-nb',
  keys: (row) => textReferences(row),
  same: isSameNeighbour,
});
