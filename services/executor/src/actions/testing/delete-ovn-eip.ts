import { deletion, freshAddress, kubeOvnObject } from '../../testing/action-cases';

export const actionCase = deletion((name, address = freshAddress()) =>
  kubeOvnObject('OvnEip', name, { externalSubnet: 'apps', v4Ip: address, type: 'nat' }),
);
