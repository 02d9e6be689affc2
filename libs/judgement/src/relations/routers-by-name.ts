import { defineRelation } from '../world/relation';

/** Logical routers by name. Router names are not unique in OVN (schema: no index). */
export const routersByName = defineRelation({
  id: 'routers-by-name',
  kinds: ['Logical_Router'],
  keys: (row) => (row.name === '' ? [] : [row.name]),
});
