import { deletion, freshAddress, kubeOvnObject } from '../../testing/action-cases';

export const actionCase = deletion((name, address = freshAddress()) =>
  kubeOvnObject('IP', name, {
    podName: name,
    namespace: 'shop',
    podType: '',
    subnet: 'apps',
    ipAddress: address,
    v4IpAddress: address,
    v6IpAddress: '',
    macAddress: '0a:00:00:00:00:01',
    attachSubnets: [],
    attachIps: [],
  }),
);
