import { defineRelation } from '../world/relation';

/**
 * Logical switch ports by name; OVN keeps port names unique over the whole database (schema index).
 */
export const portsByName = defineRelation({
  id: 'ports-by-name',
  kinds: ['Logical_Switch_Port'],
  keys: (port) => (port.name === '' ? [] : [port.name]),
});
