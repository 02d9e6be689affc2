import { defineRelation } from '../world/relation';

/** Ports by the port group that lists them: thousands for one key. */
export const portsByGroup = defineRelation({
  id: 'ports-by-group',
  kinds: ['Logical_Switch_Port'],
  keys: ({ object }) => object._port_groups ?? [],
});
