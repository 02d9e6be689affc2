import { defineRelation } from '../world/relation';

/** Network policies by their namespace, outside of which they select no pod. */
export const policiesByNamespace = defineRelation({
  id: 'policies-by-namespace',
  kinds: ['NetworkPolicy'],
  keys: ({ namespace = '' }) => [namespace],
});
