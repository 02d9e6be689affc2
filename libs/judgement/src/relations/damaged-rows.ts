import { defineRelation } from '../world/relation';

/** What is remembered of rows of others that were damaged, and are not back as they were. */
export const damagedRows = defineRelation({
  id: 'damaged-rows',
  kinds: ['Former_Row'],
  keys: ({ object: { evidence } }) => (evidence.length > 0 ? ['damaged'] : []),
});
