import { kubernetesObject } from './metadata';
import { integer, list, open, record, text, texts } from './shape';

const ports = list(open({ name: text, port: integer, protocol: text }));
const status = record({ service: text, ports: text });

/** kube-ovn.md §1, SwitchLBRule. */
export const switchLbRule = kubernetesObject({
  spec: open({
    vip: text,
    namespace: text,
    selector: texts,
    endpoints: texts,
    sessionAffinity: text,
    ports,
  }),
  status,
});

/** kube-ovn.md §1, RouterLBRule (after v1.16.2). */
export const routerLbRule = kubernetesObject({
  spec: open({
    ovnEip: text,
    vpc: text,
    namespace: text,
    selector: texts,
    endpoints: texts,
    ports,
  }),
  status,
});
