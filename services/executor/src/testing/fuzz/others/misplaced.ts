import { annotationsOf } from '@ovn-steward/systems/testing/kube-ovn/addresses';
import { addressOf, BOUND, SUBNETS } from '../cluster';
import type { Move } from './move';
import { createIp, createPort } from './pods';

/**
 * A pod of a ReplicaSet, in the subnet its namespace is bound to or in another; Kube-OVN wrote
 * which.
 */
export const replica: Move = (cluster) => {
  const { kubernetes, random } = cluster;
  const { namespace, subnet: bound } = BOUND;
  const owner = kubernetes.put({
    kind: 'ReplicaSet',
    metadata: { name: 'crawl', namespace, uid: '6a1f2f6e-52f3-4c66-9a43-0d6d8a6f1c22' },
    spec: { replicas: 1, template: { metadata: { labels: { app: 'web' } } } },
  });
  const pod = `crawl-${random.int(2)}`;
  const before = kubernetes
    .objects('Pod')
    .find((it) => it.metadata.name === pod && it.metadata.namespace === namespace);
  if (before !== undefined) return;
  const subnet = random.chance(0.6) ? SUBNETS[0] : bound;
  const address = addressOf(cluster, subnet);
  kubernetes.put({
    kind: 'Pod',
    metadata: {
      name: pod,
      namespace,
      labels: { app: 'web' },
      annotations: annotationsOf(address, subnet),
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: owner.metadata.name,
          uid: owner.metadata.uid,
          controller: true,
        },
      ],
    },
    spec: {},
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  });
  const interfaceOf = { namespace, pod, subnet, address, suffix: '' };
  createIp(cluster, interfaceOf);
  createPort(cluster, interfaceOf);
};
