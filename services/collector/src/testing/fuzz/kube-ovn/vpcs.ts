import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { operation as op } from '@ovn-steward/ovsdb';
import { ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { alive, rowNamed, ROUTER } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { make, take } from './networks';
import { isAtLeast } from './releases';
import { makeBfd } from './vpc-bfd';
import { leaveOutside, tendOutside } from './vpc-external';
import { balancersOf, statusPut, subnetsOf, vpcOf } from './vpc-status';

/** Finalizer, router, load balancers, status, then the port of BFD (handleAddOrUpdateVpc). */
function* handle(controller: Controller, name: string): Job {
  const { cluster } = controller;
  const vpc = vpcOf(cluster, name);
  if (!vpc) return;
  const { finalizer } = cluster.release;
  const hasFinalizer = isAtLeast(cluster.release, 1, 14);
  if (!alive(vpc)) {
    const { subnets = [] } = (vpc['status'] ?? {}) as { subnets?: string[] };
    if (subnets.length > 0) return;
    cluster.objects.remove('Vpc', undefined, name);
    cluster.diary.push(`Vpc ${name} gone`);
    yield;
    return;
  }
  if (hasFinalizer && (vpc.metadata.finalizers ?? []).length === 0) {
    const metadata = { ...vpc.metadata, finalizers: [finalizer] };
    cluster.put({ ...vpc, metadata } as unknown as GivenObject);
    yield;
  }
  const owner = { kind: 'Vpc', name };
  if (!rowNamed(cluster, 'Logical_Router', name)) {
    make(cluster, { table: 'Logical_Router', name, row: { name, external_ids: ours() }, owner });
    yield;
  }
  for (const balancer of balancersOf(name)) {
    if (rowNamed(cluster, 'Load_Balancer', balancer)) continue;
    const ids = cluster.release.tagsAll ? ours() : op.map([]);
    const protocol = balancer.includes('-udp-') ? 'udp' : 'tcp';
    make(cluster, {
      table: 'Load_Balancer',
      name: balancer,
      row: {
        name: balancer,
        protocol,
        options: op.map([['prefer_local_backend', 'false']]),
        external_ids: ids,
      },
      owner,
    });
    yield;
  }
  const current = vpcOf(cluster, name);
  if (!current || current.metadata.uid !== vpc.metadata.uid) return;
  const [tcpLoadBalancer, udpLoadBalancer] = balancersOf(name);
  const subnets = subnetsOf(cluster, name);
  const given = { router: name, standby: true, subnets, tcpLoadBalancer, udpLoadBalancer };
  statusPut(cluster, current, given);
  yield;
  yield* tendOutside(controller, name);
  if (isAtLeast(cluster.release, 1, 14)) yield* makeBfd(cluster, name);
}

/** Its way outside, then its router with all it holds; nothing else (handleDelVpc). Not while a Subnet of it is there. */
function* end(controller: Controller, vpc: KubernetesObject): Job {
  const { cluster, memory } = controller;
  const { name } = vpc.metadata;
  const { subnets = [] } = (vpc['status'] ?? {}) as { subnets?: string[] };
  if (subnets.some((it) => cluster.objects.get('Subnet', undefined, it))) {
    memory.set(`vpc to end ${name}`, vpc);
    return;
  }
  memory.delete(`vpc to end ${name}`);
  if (!vpcOf(cluster, name)) yield* leaveOutside(controller, name);
  // One that was made again meanwhile keeps it: which of the two is first is chance.
  if (!vpcOf(cluster, name) && take(cluster, 'Logical_Router', name)) yield;
}

/** A Subnet is gone: what waited for it is tried again. */
export function retryVpcs(controller: Controller): void {
  for (const [key, vpc] of controller.memory)
    if (key.startsWith('vpc to end '))
      controller.enqueueOnce(key, () => end(controller, vpc as KubernetesObject));
}

/** Custom VPCs. */
export const vpcs: Handler = (controller, event) => {
  if (event.is === 'all' || event.object.metadata.name === ROUTER) return;
  const { name } = event.object.metadata;
  controller.enqueueOnce(`vpc ${name}`, () =>
    event.is === 'gone' ? end(controller, event.object) : handle(controller, name),
  );
};
