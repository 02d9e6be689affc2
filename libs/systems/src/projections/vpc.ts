import { kubernetesObject } from './metadata';
import { flag, integer, list, open, record, text, texts } from './shape';

const spec = open({
  namespaces: texts,
  defaultSubnet: text,
  enableExternal: flag,
  extraExternalSubnets: texts,
  enableBfd: flag,
  staticRoutes: list(
    open({
      policy: text,
      cidr: text,
      nextHopIP: text,
      ecmpMode: text,
      bfdId: text,
      routeTable: text,
    }),
  ),
  policyRoutes: list(open({ priority: integer, match: text, action: text, nextHopIP: text })),
  vpcPeerings: list(open({ remoteVpc: text, localConnectIP: text })),
  bfdPort: open({ enabled: flag, ip: text }),
});

const status = record({
  default: flag,
  standby: flag,
  router: text,
  defaultLogicalSwitch: text,
  subnets: texts,
  vpcPeerings: texts,
  enableExternal: flag,
  extraExternalSubnets: texts,
  enableBfd: flag,
  bfdPort: open({ name: text, ip: text, nodes: texts }),
  tcpLoadBalancer: text,
  tcpSessionLoadBalancer: text,
  udpLoadBalancer: text,
  udpSessionLoadBalancer: text,
  sctpLoadBalancer: text,
  sctpSessionLoadBalancer: text,
});

/** kube-ovn.md §1, Vpc. */
export const vpc = kubernetesObject({ spec, status });
