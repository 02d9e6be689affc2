import { defineRelation } from '../world/relation';

/** The key of all, which no namespace is called. */
export const ANYWHERE = '*';

/** Network policies by their namespace, outside of which they select no pod, and by `ANYWHERE`. */
export const policiesByNamespace = defineRelation({
  id: 'policies-by-namespace',
  kinds: ['NetworkPolicy'],
  keys: ({ namespace = '' }) => [namespace, ANYWHERE],
});
