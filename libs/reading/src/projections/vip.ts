import { kubernetesObject } from './metadata';
import { open, record, text, texts } from './shape';

/** kube-ovn.md §1, Vip. Older versions have a `ready` and a `pmac`; no rule reads them. */
export const vip = kubernetesObject({
  spec: open({ subnet: text, namespace: text, type: text, v4ip: text, v6ip: text, macAddress: text, selector: texts, attachSubnets: texts }),
  status: record({ v4ip: text, v6ip: text, mac: text, type: text }),
});
