import { externalSubnetWriters } from './field-writers';
import { annotationNames, kubernetesObject, metadataWith } from './metadata';
import { flag, open, record, text } from './shape';

/**
 * kube-ovn.md §1, OvnEip. The controller makes those of routers itself, and annotates none: the names
 * of all annotations and the managed fields tell them from what a person made.
 */
export const ovnEip = record(
  {
    metadata: metadataWith({ annotations: annotationNames, managedFields: externalSubnetWriters }),
    spec: open({ externalSubnet: text, v4Ip: text, v6Ip: text, macAddress: text, type: text }),
    status: record({
      v4Ip: text,
      v6Ip: text,
      macAddress: text,
      type: text,
      nat: text,
      ready: flag,
    }),
  },
  ['metadata'],
);

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
