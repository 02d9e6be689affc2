import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/** What a switch has of itself: the end of a router, an uplink. */
const OWN_TYPES = new Set(['router', 'localnet']);

/** The ports that somebody uses, by the switch that holds them: thousands for one key, so ask for a few. */
export const portsBySwitch = defineRelation({
  id: 'ports-by-switch',
  kinds: ['Logical_Switch_Port'],
  keys: (port) => (OWN_TYPES.has(port.object.type ?? '') ? [] : parentsOf(port).map((it) => it.uid)),
});
