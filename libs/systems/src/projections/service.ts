import { kubernetesObject } from './metadata';
import { anything, integer, list, record, text, textMap, texts } from './shape';

/** What the vips of OVN's load balancers are made from. `targetPort` is a number or a name. */
export const service = kubernetesObject({
  spec: record({
    type: text,
    clusterIP: text,
    clusterIPs: texts,
    externalIPs: texts,
    loadBalancerIP: text,
    loadBalancerClass: text,
    ipFamilies: texts,
    selector: textMap,
    sessionAffinity: text,
    ports: list(
      record({
        name: text,
        protocol: text,
        port: integer,
        targetPort: anything,
        nodePort: integer,
      }),
    ),
  }),
  status: record({ loadBalancer: record({ ingress: list(record({ ip: text, hostname: text })) }) }),
});
