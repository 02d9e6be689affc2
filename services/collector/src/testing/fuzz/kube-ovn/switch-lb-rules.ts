import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import type { Controller, Handler, Job } from './controller';
import * as vips from './service-vips';
import { dropService, putSlice } from './service-objects';

const VIP = 'ovn.kubernetes.io/switch_lb_vip';

interface RuleSpec {
  readonly vip: string;
  readonly namespace: string;
  readonly endpoints: readonly string[];
  readonly ports: readonly { readonly port: number; readonly targetPort: number }[];
}

/** The Service of a rule with its endpoints, then the rule's status. */
function* serveRule({ cluster }: Controller, name: string): Job {
  const rule = cluster.objects.get('SwitchLBRule', undefined, name);
  if (!rule) return;
  const { vip, namespace, endpoints: to, ports } = rule['spec'] as unknown as RuleSpec;
  const service = `slr-${name}`;
  if (!cluster.objects.get('Service', namespace, service)) {
    cluster.put({
      kind: 'Service',
      metadata: { name: service, namespace, annotations: { [VIP]: vip } },
      spec: { clusterIP: 'None', ports: [{ name: 'p', port: ports[0]!.port, protocol: 'TCP' }] },
    });
    putSlice(cluster, namespace, service, to[0]!, ports[0]!.targetPort);
    cluster.diary.push(`Service ${service} made`);
    yield;
  }
  const current = cluster.objects.get('SwitchLBRule', undefined, name);
  if (current?.metadata.uid !== rule.metadata.uid || current['status'] !== undefined) return;
  const status = { service: `${namespace}/${service}` };
  cluster.put({ ...current, status } as unknown as GivenObject);
  yield;
}

/** Its Service, with which the vip goes, then check and mapping (handleDelSwitchLBRule). */
function* endRule({ cluster }: Controller, rule: KubernetesObject): Job {
  const { name } = rule.metadata;
  if (cluster.objects.get('SwitchLBRule', undefined, name)) return;
  for (const service of [...cluster.objects.all('Service')])
    if (service.metadata.name === `slr-${name}`) {
      dropService(cluster, service);
      yield;
    }
  const { vip, ports } = rule['spec'] as unknown as RuleSpec;
  const key = `${vip}:${ports[0]!.port}`;
  const before = vips.balancer(cluster);
  const check = before && vips.checkOf(cluster, before, key);
  if (!before || check === undefined) return;
  vips.dropCheck(cluster, before, check);
  yield;
  const after = vips.balancer(cluster);
  if (after) vips.dropMapping(cluster, after, key);
  yield;
}

export const switchLbRules: Handler = (controller, event) => {
  if (event.is === 'all') return;
  const { name } = event.object.metadata;
  controller.enqueueOnce(`slr ${name}`, () =>
    event.is === 'gone' ? endRule(controller, event.object) : serveRule(controller, name),
  );
};
