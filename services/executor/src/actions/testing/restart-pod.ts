import { type ActionCase, podOfReplicaSet } from '../../testing/action-cases';

export const actionCase: ActionCase = { undone: 'impossible', arrange: podOfReplicaSet };
