import { kubernetesObject } from './metadata';
import { flag, open, record, text } from './shape';

/** kube-ovn.md §1, OvnEip. */
export const ovnEip = kubernetesObject({
  spec: open({ externalSubnet: text, v4Ip: text, v6Ip: text, macAddress: text, type: text }),
  status: record({ v4Ip: text, v6Ip: text, macAddress: text, type: text, nat: text, ready: flag }),
});

const common = { vpc: text, v4Eip: text, v6Eip: text, ready: flag };

export const ovnFip = kubernetesObject({
  spec: open({
    ovnEip: text,
    ipType: text,
    ipName: text,
    vpc: text,
    v4Ip: text,
    v6Ip: text,
    type: text,
  }),
  status: record({ ...common, v4Ip: text, v6Ip: text, macAddress: text }),
});

export const ovnSnatRule = kubernetesObject({
  spec: open({
    ovnEip: text,
    vpcSubnet: text,
    ipName: text,
    vpc: text,
    v4IpCidr: text,
    v6IpCidr: text,
  }),
  status: record({ ...common, v4IpCidr: text, v6IpCidr: text }),
});

export const ovnDnatRule = kubernetesObject({
  spec: open({
    ovnEip: text,
    ipType: text,
    ipName: text,
    vpc: text,
    v4Ip: text,
    v6Ip: text,
    internalPort: text,
    externalPort: text,
    protocol: text,
  }),
  status: record({
    ...common,
    v4Ip: text,
    v6Ip: text,
    ipName: text,
    internalPort: text,
    externalPort: text,
    protocol: text,
  }),
});
