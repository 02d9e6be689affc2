import { type ActionCase, FINALIZER, hanging } from '../../testing/action-cases';
import { actionCase as ip } from './delete-ip';

export const actionCase: ActionCase = {
  undone: 'object',
  part: { column: 'metadata.finalizers', key: FINALIZER },
  arrange: (cluster, name) => hanging(cluster, ip.makeObject(name)),
};
