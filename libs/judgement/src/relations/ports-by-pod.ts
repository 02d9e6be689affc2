import { defineRelation } from '../world/relation';

/**
 * Kube-OVN's ports by `<switch> <namespace>/<name>`, as their keys `ls` and `pod` say: whatever a
 * port serves, on whichever network, has it (kube-ovn.md §3.1).
 */
export const portsByPod = defineRelation({
  id: 'ports-by-pod',
  kinds: ['Logical_Switch_Port'],
  keys: ({ object: { external_ids: ids } }) =>
    ids && Object.hasOwn(ids, 'ls') && Object.hasOwn(ids, 'pod')
      ? [`${ids['ls']} ${ids['pod']}`]
      : [],
});
