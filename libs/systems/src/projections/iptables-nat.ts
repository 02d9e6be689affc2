import { kubernetesObject } from './metadata';
import { flag, open, record, text } from './shape';

/** kube-ovn.md §1, IptablesEIP. */
export const iptablesEip = kubernetesObject({
  spec: open({
    v4ip: text,
    v6ip: text,
    macAddress: text,
    natGwDp: text,
    externalSubnet: text,
    qosPolicy: text,
    namespace: text,
  }),
  status: record({ ready: flag, ip: text, nat: text, redo: text, qosPolicy: text }),
});

const common = { ready: flag, v4ip: text, v6ip: text, natGwDp: text, redo: text };

export const iptablesFipRule = kubernetesObject({
  spec: open({ eip: text, internalIp: text }),
  status: record({ ...common, internalIp: text }),
});

export const iptablesDnatRule = kubernetesObject({
  spec: open({
    eip: text,
    externalPort: text,
    protocol: text,
    internalIp: text,
    internalPort: text,
    type: text,
  }),
  status: record({
    ...common,
    externalPort: text,
    protocol: text,
    internalIp: text,
    internalPort: text,
  }),
});

export const iptablesSnatRule = kubernetesObject({
  spec: open({ eip: text, internalCIDR: text }),
  status: record({ ...common, internalCIDR: text }),
});
