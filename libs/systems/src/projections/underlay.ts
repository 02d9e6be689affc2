import { conditions, kubernetesObject } from './metadata';
import { anything, flag, integer, list, open, record, text, texts } from './shape';

/** kube-ovn.md §1, Vlan. */
export const vlan = kubernetesObject({
  spec: open({ id: integer, provider: text }),
  status: record({ subnets: texts, conflict: flag }),
});

/** kube-ovn.md §1, ProviderNetwork. */
export const providerNetwork = kubernetesObject({
  spec: open({ defaultInterface: text, customInterfaces: list(anything), excludeNodes: texts }),
  status: record({
    ready: flag,
    readyNodes: texts,
    notReadyNodes: texts,
    vlans: texts,
    conditions,
  }),
});
