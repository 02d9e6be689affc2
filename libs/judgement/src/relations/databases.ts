import { defineRelation } from '../world/relation';

/** The one row of each database that speaks of the whole, by the table it is in. */
export const databases = defineRelation({
  id: 'databases',
  kinds: ['NB_Global', 'SB_Global'],
  keys: ({ kind }) => [kind],
});
