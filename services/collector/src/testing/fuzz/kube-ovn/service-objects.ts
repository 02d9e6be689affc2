import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { Cluster } from '../cluster';

/** What Kubernetes makes for a Service whose pods are ready, or for its Endpoints. */
export function putSlice(
  cluster: Cluster,
  namespace: string,
  service: string,
  address: string,
  port: number,
): void {
  cluster.put({
    kind: 'EndpointSlice',
    metadata: {
      name: `${service}-1`,
      namespace,
      labels: { 'kubernetes.io/service-name': service },
    },
    addressType: 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: 'p', port, protocol: 'TCP' }],
  });
}

/** With it its slices go. */
export function dropService(cluster: Cluster, { metadata }: KubernetesObject): void {
  const { namespace, name } = metadata;
  cluster.objects.remove('Service', namespace, name);
  cluster.objects.remove('EndpointSlice', namespace, `${name}-1`);
  cluster.diary.push(`Service ${name} deleted`);
}
