import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { annotate, annotationOf, type Cluster, ROUTER, rowNamed } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import * as vips from './service-vips';

const VPC = 'ovn.kubernetes.io/vpc';
const VIP = 'ovn.kubernetes.io/switch_lb_vip';

/** The balancer of the default VPC, and that its status names it; before anything else. */
export function* ensureBalancer({ cluster }: Controller): Job {
  if (!rowNamed(cluster, 'Load_Balancer', vips.BALANCER)) {
    vips.makeBalancer(cluster);
    yield;
  }
  const vpc = cluster.objects.get('Vpc', undefined, ROUTER)!;
  const status = { ...(vpc['status'] as object), tcpLoadBalancer: vips.BALANCER };
  if (JSON.stringify(status) === JSON.stringify(vpc['status'])) return;
  cluster.put({ ...vpc, status } as unknown as GivenObject);
  yield;
}

/** In which VPC it is, then its vip; of a rule's also the check (handleUpdateEndpointSlice). */
function* update({ cluster }: Controller, namespace: string, name: string): Job {
  const service = cluster.objects.get('Service', namespace, name);
  if (!service) return;
  const backend = vips.backendOf(cluster, service);
  const vip = vips.vipOf(service);
  if (backend === undefined) return yield* removeVip(cluster, vip);
  if (annotationOf(service, VPC) !== ROUTER) {
    annotate(cluster, service, { [VPC]: ROUTER });
    yield;
  }
  const before = vips.balancer(cluster);
  if (before && !before.vips.some(([key, to]) => key === vip && to === backend)) {
    vips.putVip(cluster, before, vip, backend);
    yield;
  }
  if (annotationOf(service, VIP) === undefined) return;
  const known = vips.balancer(cluster);
  if (known && !known.mappings.some(([key]) => backend.startsWith(`${key}:`))) {
    vips.putMapping(cluster, known, backend);
    yield;
  }
  const latest = vips.balancer(cluster);
  if (latest && vips.checkOf(cluster, latest, vip) === undefined) {
    vips.putCheck(cluster, latest, vip);
    yield;
  }
}

/**
 * Mapping and check, where it has one and anything of the balancer is mapped, then the vip
 * (LoadBalancerDeleteVip).
 */
function* removeVip(cluster: Cluster, vip: string): Job {
  const before = vips.balancer(cluster);
  if (!before) return;
  const check = vips.checkOf(cluster, before, vip);
  const isCleared = cluster.release.clearsChecks && before.mappings.length > 0;
  if (check !== undefined && isCleared) {
    vips.dropMapping(cluster, before, vip);
    yield;
    if (cluster.rows('Load_Balancer_Health_Check').has(check))
      vips.dropCheck(cluster, before, check);
    yield;
  }
  const latest = vips.balancer(cluster);
  if (!latest?.vips.some(([key]) => key === vip)) return;
  vips.dropVip(cluster, latest, vip);
  yield;
}

/** Not while another Service has its cluster address. */
function* forget({ cluster }: Controller, service: KubernetesObject): Job {
  const vip = vips.vipOf(service);
  const isHad = [...cluster.objects.all('Service')].some((it) => vips.vipOf(it) === vip);
  if (!isHad) yield* removeVip(cluster, vip);
}

const enqueue = (controller: Controller, namespace: string, name: string): void =>
  controller.enqueueOnce(`service ${namespace}/${name}`, () => update(controller, namespace, name));

export const services: Handler = (controller, event) => {
  if (event.is !== 'gone') return;
  const { namespace = '', name } = event.object.metadata;
  controller.enqueue(`service ${namespace}/${name}`, forget(controller, event.object));
};

export const endpoints: Handler = (controller, event) => {
  if (event.is === 'all') return;
  const { namespace = '', name } = event.object.metadata;
  enqueue(controller, namespace, name.replace(/-1$/, ''));
};

/** Entries that no Service has, once after a start (gcLoadBalancer). */
export function* collectVips({ cluster }: Controller): Job {
  const had = new Set([...cluster.objects.all('Service')].map(vips.vipOf));
  for (const [vip] of vips.balancer(cluster)?.vips ?? [])
    if (!had.has(vip)) yield* removeVip(cluster, vip);
}
