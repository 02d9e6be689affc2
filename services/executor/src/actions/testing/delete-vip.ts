import { deletion, freshAddress, kubeOvnObject } from '../../testing/action-cases';

export const actionCase = deletion((name, address = freshAddress()) => ({
  ...kubeOvnObject('Vip', name, { subnet: 'apps', namespace: '', type: '', v4ip: address }),
  status: { v4ip: address },
}));
