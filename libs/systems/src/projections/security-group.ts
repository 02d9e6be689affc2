import { kubernetesObject } from './metadata';
import { anything, flag, integer, list, open, record, text } from './shape';

/** kube-ovn.md §1, SecurityGroup. */
export const securityGroup = kubernetesObject({
  spec: open({
    ingressRules: list(anything),
    egressRules: list(anything),
    allowSameGroupTraffic: flag,
    tier: integer,
  }),
  status: record({
    portGroup: text,
    allowSameGroupTraffic: flag,
    ingressMd5: text,
    egressMd5: text,
    ingressLastSyncSuccess: flag,
    egressLastSyncSuccess: flag,
  }),
});
