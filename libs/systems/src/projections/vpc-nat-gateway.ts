import { annotations, kubernetesObject } from './metadata';
import { anything, flag, integer, list, open, record, text, texts } from './shape';

/**
 * kube-ovn.md §1, VpcNatGateway. The BGP speaker's password and free arguments are dropped: they
 * are secrets or may be.
 */
export const vpcNatGateway = kubernetesObject({
  spec: open({
    namespace: text,
    vpc: text,
    subnet: text,
    externalSubnets: texts,
    lanIp: text,
    replicas: integer,
    selector: texts,
    qosPolicy: text,
    bgpSpeaker: open({}, ['password', 'extraArgs']),
    internalSubnets: texts,
    internalCIDRs: texts,
    noDefaultEIP: flag,
    annotations,
    routes: list(anything),
  }),
  status: record({
    externalSubnets: texts,
    lanIp: text,
    qosPolicy: text,
    replicas: integer,
    ready: flag,
    internalSubnets: texts,
    internalCIDRs: texts,
    workload: open({ apiVersion: text, kind: text, name: text, nodes: texts }),
  }),
});
