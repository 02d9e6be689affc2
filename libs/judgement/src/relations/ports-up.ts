import { defineRelation } from '../world/relation';

/** The name of a node's port, with the node's behind it (kube-ovn.md §3.1). */
export const NODE_PORT = 'node-';

/**
 * Kube-OVN's ports that a chassis holds up: all of them under `any`, thousands for one key, and
 * those of nodes under `node`.
 */
export const portsUp = defineRelation({
  id: 'ports-up',
  kinds: ['Logical_Switch_Port'],
  counted: true,
  keys({ name, object: { up, external_ids: ids = {} } }) {
    if (up !== true || ids['vendor'] !== 'kube-ovn') return [];
    return name.startsWith(NODE_PORT) && !Object.hasOwn(ids, 'pod') ? ['any', 'node'] : ['any'];
  },
});
