import { alive, annotationOf, type Cluster, ROUTER } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { subnetsOf } from './vpc-status';

/** Where Kube-OVN itself runs, and what reaches Services from a Vpc. */
const RUNS_IN = 'kube-system';
export const VPC_LB = 'ovn.kubernetes.io/vpc_lb';

/** The name of what answers for a Service of type LoadBalancer, in the Service's namespace. */
export const lbOf = (service: string): string => `lb-svc-${service}`;
export const vpcLbOf = (vpc: string): string => `vpc-${vpc}-lb`;

/** A Deployment with the labels and annotations of its pods; whether it is new. */
export function putDeployment(
  cluster: Cluster,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>> = {},
): boolean {
  if (cluster.objects.get('Deployment', namespace, name)) return false;
  const metadata = { labels, annotations };
  const spec = { replicas: 1, template: { metadata, spec: { containers: [] } } };
  cluster.put({ kind: 'Deployment', metadata: { name, namespace }, spec });
  cluster.diary.push(`Deployment ${name} made`);
  return true;
}

function dropDeployment(cluster: Cluster, namespace: string, name: string): boolean {
  if (!cluster.objects.get('Deployment', namespace, name)) return false;
  cluster.objects.remove('Deployment', namespace, name);
  cluster.diary.push(`Deployment ${name} removed`);
  return true;
}

/** What answers for a Service, made or removed (service_lb.go). */
function* tendService({ cluster }: Controller, namespace: string, service: string): Job {
  const name = lbOf(service);
  const found = cluster.objects.get('Service', namespace, service);
  const isAsked = (found?.['spec'] as { type?: string } | undefined)?.type === 'LoadBalancer';
  if (isAsked && putDeployment(cluster, { namespace, name }, { app: name, namespace, service }))
    yield;
  if (!found && dropDeployment(cluster, namespace, name)) yield;
}

export const balancedServices: Handler = (controller, event) => {
  if (event.is === 'all') return;
  if ((event.object['spec'] as { type?: string }).type !== 'LoadBalancer') return;
  const { namespace = '', name } = event.object.metadata;
  controller.enqueueOnce(`lb of ${name}`, () => tendService(controller, namespace, name));
};

/** What reaches Services from a Vpc that asks for it; not without a Subnet (vpc_lb.go). */
function* tendVpc({ cluster }: Controller, vpc: string): Job {
  const found = cluster.objects.get('Vpc', undefined, vpc);
  if (found && !alive(found)) return;
  const name = vpcLbOf(vpc);
  if (annotationOf(found, VPC_LB) !== 'on') {
    if (dropDeployment(cluster, RUNS_IN, name)) yield;
    return;
  }
  if (subnetsOf(cluster, vpc).length === 0) return;
  const labels = { app: name, [VPC_LB]: 'true' };
  const annotations = { 'ovn.kubernetes.io/vpc': vpc };
  if (putDeployment(cluster, { namespace: RUNS_IN, name }, labels, annotations)) yield;
}

export const balancedVpcs: Handler = (controller, event) => {
  if (event.is === 'all' || event.object.metadata.name === ROUTER) return;
  const { name } = event.object.metadata;
  controller.enqueueOnce(`lb of Vpc ${name}`, () => tendVpc(controller, name));
};

/** Those of Services that are gone, whoever made them; of a Vpc none (gcLbSvcPods). */
export function* collectLoadBalancers({ cluster }: Controller): Job {
  for (const deployment of [...cluster.objects.all('Deployment')]) {
    const { namespace = '', name } = deployment.metadata;
    const service = /^lb-svc-(.+)$/.exec(name)?.[1];
    if (service === undefined || !Object.hasOwn(podLabels(deployment), 'service')) continue;
    if (cluster.objects.get('Service', namespace, service)) continue;
    if (dropDeployment(cluster, namespace, name)) yield;
  }
}

export const podLabels = (workload: object): Readonly<Record<string, string>> =>
  (workload as { spec: { template?: { metadata?: { labels?: Record<string, string> } } } }).spec
    .template?.metadata?.labels ?? {};
