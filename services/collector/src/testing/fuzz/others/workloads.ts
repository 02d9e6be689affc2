import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { annotate, annotationOf, type Cluster, deleteObject } from '../cluster';
import {
  dropGatewayPod,
  GATEWAY,
  podOf,
  putGatewayPod,
  RUNS_IN,
  WORKLOAD,
} from '../kube-ovn/nat-gateway-parts';
import { lbOf, putDeployment, VPC_LB } from '../kube-ovn/workloads';

const NAMESPACE = 'shop';
const SERVICE = 'outward';

/**
 * What Kube-OVN runs for a Service, a Vpc or a NAT gateway is asked for or not any more; people have
 * Deployments of such names, too.
 */
export function changeWorkload(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  const what = random.int(10);
  if (what < 5) return changeService(cluster);
  if (what < 8) {
    const vpc = objects.get('Vpc', undefined, 'tenant');
    if (!vpc) return;
    const isAsked = annotationOf(vpc, VPC_LB) === 'on';
    annotate(cluster, vpc, { [VPC_LB]: isAsked ? undefined : 'on' });
    diary.push(`Vpc tenant asks for Services${isAsked ? ' no more' : ''}`);
  } else if (what < 9) {
    const name = lbOf('of-anna');
    const known = objects.get('Deployment', NAMESPACE, name);
    if (known) deleteObject(cluster, known, false);
    else putDeployment(cluster, { namespace: NAMESPACE, name }, { app: name });
  } else if (objects.get('StatefulSet', RUNS_IN, WORKLOAD)) {
    const gateway = objects.get('VpcNatGateway', undefined, GATEWAY);
    if (gateway) endGateway(cluster, gateway);
    else putGatewayPod(cluster);
  }
}

/** It alone; what has an owner goes with that. */
function endGateway(cluster: Cluster, gateway: KubernetesObject): void {
  const set = cluster.objects.get('StatefulSet', RUNS_IN, WORKLOAD)!;
  deleteObject(cluster, gateway, true);
  if (set.metadata['ownerReferences'] === undefined) return;
  deleteObject(cluster, set, true);
  if (podOf(cluster)) dropGatewayPod(cluster);
}

function changeService(cluster: Cluster): void {
  const known = cluster.objects.get('Service', NAMESPACE, SERVICE);
  if (known) return deleteObject(cluster, known, false);
  cluster.put({
    kind: 'Service',
    metadata: { name: SERVICE, namespace: NAMESPACE },
    spec: {
      type: 'LoadBalancer',
      clusterIP: '10.96.0.40',
      ports: [{ port: 443, protocol: 'TCP' }],
    },
  });
  cluster.diary.push(`Service ${SERVICE} made`);
}
