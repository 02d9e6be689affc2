import { kubernetesObject } from './metadata';
import { flag, integer, open, record, text } from './shape';

/** kube-ovn.md §1, VpcDns. The Corefile is dropped: it is long and may hold a plugin's credentials. */
export const vpcDns = kubernetesObject({
  spec: open({ vpc: text, subnet: text, replicas: integer }, ['corefile']),
  status: record({ active: flag }),
});
