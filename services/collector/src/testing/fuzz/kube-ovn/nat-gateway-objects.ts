import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { alive, type Cluster, deleteObject, hasDeletionTimestamp } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { dropGatewayPod, GATEWAY, podOf, RUNS_IN, specOf, WORKLOAD } from './nat-gateway-parts';
import { isAtLeast } from './releases';
import { vpcOf } from './vpc-status';

/** Finalizer; of one that goes, what runs it and then the finalizer (vpc_nat_gateway.go, v1.17). */
function* handle({ cluster }: Controller): Job {
  const { objects, release } = cluster;
  const gateway = objects.get('VpcNatGateway', undefined, GATEWAY);
  if (!gateway) return;
  if (!hasDeletionTimestamp(gateway)) {
    if ((gateway.metadata.finalizers ?? []).length > 0) return;
    const metadata = { ...gateway.metadata, finalizers: [release.finalizer] };
    cluster.put({ ...gateway, metadata } as unknown as GivenObject);
    yield;
    return;
  }
  if (objects.get('StatefulSet', RUNS_IN, WORKLOAD)) {
    objects.remove('StatefulSet', RUNS_IN, WORKLOAD);
    yield;
  }
  // What a StatefulSet has goes with it.
  if (podOf(cluster)) dropGatewayPod(cluster);
  objects.remove('VpcNatGateway', undefined, GATEWAY);
  cluster.diary.push(`gateway ${GATEWAY} gone`);
  yield;
}

/**
 * One whose Vpc is gone, once after a start (gc.go, gcVpcNatGateway). Without a finalizer what runs it
 * goes at once here; while the controller is down nobody deletes one.
 */
export function* collectNatGateways({ cluster }: Controller): Job {
  const gateway = cluster.objects.get('VpcNatGateway', undefined, GATEWAY);
  if (!alive(gateway) || vpcOf(cluster, specOf(gateway)['vpc'] ?? '')) return;
  const hasFinalizer = (gateway.metadata.finalizers ?? []).length > 0;
  if (!hasFinalizer) dropWorkload(cluster);
  deleteObject(cluster, gateway, false);
  yield;
}

/** What ran a gateway that is gone, while it goes by nobody else (handleDelVpcNatGw, up to v1.16). */
export function* dropGatewaySet({ cluster }: Controller): Job {
  const { objects, release } = cluster;
  if (isAtLeast(release, 1, 17) || objects.get('VpcNatGateway', undefined, GATEWAY)) return;
  if (!objects.get('StatefulSet', RUNS_IN, WORKLOAD)) return;
  dropWorkload(cluster);
  cluster.diary.push(`set ${WORKLOAD} removed`);
  yield;
}

function dropWorkload(cluster: Cluster): void {
  cluster.objects.remove('StatefulSet', RUNS_IN, WORKLOAD);
  if (podOf(cluster)) dropGatewayPod(cluster);
}

/** Earlier releases give a gateway no finalizer: it is gone at once. */
export const natGateways: Handler = (controller, event) => {
  if (event.is === 'gone')
    return controller.enqueue(`gateway ${GATEWAY}`, dropGatewaySet(controller));
  if (event.is === 'now' && isAtLeast(controller.cluster.release, 1, 17))
    controller.enqueueOnce(`gateway ${GATEWAY}`, () => handle(controller));
};
