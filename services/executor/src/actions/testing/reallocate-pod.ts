import { type ActionCase, ALLOCATED, podOfReplicaSet } from '../../testing/action-cases';

export const actionCase: ActionCase = {
  undone: 'field',
  part: { column: 'metadata.annotations', key: ALLOCATED },
  arrange: (cluster, name) =>
    podOfReplicaSet(cluster, name, { [ALLOCATED]: 'true', 'ovn.kubernetes.io/allocated': 'true' }),
};
