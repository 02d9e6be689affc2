import { conditions, kubernetesObject } from './metadata';
import { anything, flag, integer, list, open, record, text, texts } from './shape';

/**
 * kube-ovn.md §1, VpcEgressGateway. `bgpConf` and `evpnConf` are names; the peers' parameters are
 * objects we do not read.
 */
export const vpcEgressGateway = kubernetesObject({
  spec: open({
    vpc: text,
    replicas: integer,
    prefix: text,
    internalSubnet: text,
    externalSubnet: text,
    internalIPs: texts,
    externalIPs: texts,
    selectors: list(anything),
    policies: list(open({ snat: flag, ipBlocks: texts, subnets: texts })),
    trafficPolicy: text,
    bfd: open({ enabled: flag }),
  }),
  status: record({
    ready: flag,
    phase: text,
    internalIPs: texts,
    externalIPs: texts,
    conditions,
    workload: open({ apiVersion: text, kind: text, name: text, nodes: texts }),
  }),
});
