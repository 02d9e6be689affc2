import { addressIn, annotationsOf } from '@ovn-steward/systems/testing/kube-ovn/addresses';
import { addressOf, SUBNETS } from '../cluster';
import type { Move } from './move';

/** The controller that leads dies, and one leads again. */
export const changeController: Move = ({ controller }) => controller.change();

/**
 * A pod returns under the IP object of its predecessor that is still going: it gets no other, and
 * may lose its port with it.
 */
export const returnUnder: Move = (cluster) => {
  const { kubernetes, random } = cluster;
  const ip = random.maybe(
    kubernetes.objects('IP').filter((it) => it.metadata.deletionTimestamp !== undefined),
  );
  if (!ip) return;
  const {
    namespace,
    podName: name,
    subnet = SUBNETS[0],
  } = ip['spec'] as {
    readonly namespace: string;
    readonly podName: string;
    readonly subnet?: string;
  };
  const before = kubernetes
    .objects('Pod')
    .find((it) => it.metadata.name === name && it.metadata.namespace === namespace);
  const address =
    addressIn(before?.metadata['annotations'] as Record<string, string> | undefined) ??
    addressOf(cluster, subnet);
  kubernetes.put({
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: { app: 'web' },
      annotations: annotationsOf(address, subnet),
    },
    spec: {},
  });
};
