import { deletion, freshAddress, kubeOvnObject } from '../../testing/action-cases';

export const actionCase = deletion((name, address = freshAddress()) =>
  kubeOvnObject('IptablesEIP', name, { externalSubnet: 'apps', v4ip: address, natGwDp: 'gw' }),
);
