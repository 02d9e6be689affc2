import { defineRelation } from '../world/relation';

/** Logical switches by name. Switch names are not unique in OVN (schema: no index). */
export const switchesByName = defineRelation({
  id: 'switches-by-name',
  kinds: ['Logical_Switch'],
  keys: (row) => (row.name === '' ? [] : [row.name]),
});
