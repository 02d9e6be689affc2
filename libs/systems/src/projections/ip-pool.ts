import { conditions, kubernetesObject } from './metadata';
import { count, flag, open, record, text, texts } from './shape';

/** kube-ovn.md §1, IPPool. */
export const ipPool = kubernetesObject({
  spec: open({ subnet: text, namespaces: texts, ips: texts, enableAddressSet: flag }),
  status: record({
    conditions,
    v4UsingIPs: count,
    v4UsingIPRange: text,
    v4AvailableIPs: count,
    v4AvailableIPRange: text,
    v6UsingIPs: count,
    v6UsingIPRange: text,
    v6AvailableIPs: count,
    v6AvailableIPRange: text,
  }),
});
