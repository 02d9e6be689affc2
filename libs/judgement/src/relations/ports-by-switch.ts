import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/** What a switch has of itself: the end of a router, an uplink. */
const OWN_TYPES = new Set(['router', 'localnet']);

/**
 * The ports that may be in use, by the switch that holds them.
 */
export const portsBySwitch = defineRelation({
  id: 'ports-by-switch',
  kinds: ['Logical_Switch_Port'],
  counted: true,
  keys: (port) =>
    OWN_TYPES.has(port.object.type ?? '') || isIdle(port)
      ? []
      : parentsOf(port).map((it) => it.uid),
});

/**
 * A port of Kube-OVN's that no pod was given and no chassis has: of a Vip, or a node's to an
 * external network (kube-ovn.md §3.1).
 */
const isIdle = ({
  object: { external_ids: ids = {}, up },
}: Entity<'Logical_Switch_Port'>): boolean =>
  ids['vendor'] === 'kube-ovn' && !Object.hasOwn(ids, 'pod') && up !== true;
