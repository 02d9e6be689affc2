import { chassisOf } from '../kube-ovn/chassis';
import { defineRelation } from '../world/relation';

/** Nodes by the name of the chassis that Kube-OVN found on them. */
export const nodesByChassis = defineRelation({
  id: 'nodes-by-chassis',
  kinds: ['Node'],
  keys: (node) => {
    const chassis = chassisOf(node);
    return chassis === '' ? [] : [chassis];
  },
});
