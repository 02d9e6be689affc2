import { defineRelation } from '../world/relation';

/** Nodes by the switch that Kube-OVN says they are on: that of the join network. */
export const nodesBySwitch = defineRelation({
  id: 'nodes-by-switch',
  kinds: ['Node'],
  keys: ({ object }) => {
    const name = object.metadata.annotations?.['ovn.kubernetes.io/logical_switch'];
    return name === undefined || name === '' ? [] : [name];
  },
});
