import { entriesOf, partOf, textPartOf } from '@ovn-steward/judgement/readiness/part-of';
import { SUBNET_ANNOTATION } from '@ovn-steward/judgement/kube-ovn/namespace-subnets';
import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { ownersOf } from '../action-kit/owner';

/**
 * What has to come before another pod of a controller may be restarted, so that they go one at a
 * time: all the pods it wants are there, none is ending, and each that has its place has its
 * address and is Ready. Undefined when nothing has. No pod waits for a sibling that is in the wrong
 * subnet itself: it may be unready because of that, and is to be restarted too.
 * @throws Failure when it cannot be read.
 */
export async function siblingsWaitFor(
  pod: KubernetesObject,
  controller: KubernetesObject,
  rightSubnets: ReadonlySet<string>,
  kubernetes: Pick<Kubernetes, 'list'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const all = await kubernetes.list('Pod', pod.metadata.namespace, signal);
  const pods = all.filter(
    (other) =>
      ownersOf(other.metadata).some(
        ({ controller: controls, uid }) => controls && uid === controller.metadata.uid,
      ) && !hasEnded(other),
  );
  const ending = pods.find(
    (it) => it.metadata.deletionTimestamp !== undefined && it.metadata.uid !== pod.metadata.uid,
  );
  if (ending !== undefined) return `Pod ${ending.metadata.name} of the same controller to end`;
  const wanted = wantedPods(controller);
  if (pods.length < wanted)
    return `its controller to make the pods it wants: ${pods.length} of ${wanted} are there`;
  for (const kubernetesObject of pods) {
    if (kubernetesObject.metadata.uid === pod.metadata.uid) continue;
    const waits = placedWaitsFor(kubernetesObject, rightSubnets);
    if (waits !== undefined)
      return `Pod ${kubernetesObject.metadata.name} of the same controller to ${waits}`;
  }
  return undefined;
}

/** A finished pod takes no place. */
const hasEnded = (pod: KubernetesObject): boolean =>
  ['Succeeded', 'Failed'].includes(textPartOf(pod, 'status', 'phase') ?? '');

/**
 * How many pods the controller wants; a DaemonSet says it in its status. One where it says nothing.
 */
function wantedPods(controller: KubernetesObject): number {
  const replicas =
    partOf(controller, 'spec', 'replicas') ??
    partOf(controller, 'status', 'desiredNumberScheduled');
  return typeof replicas === 'number' ? replicas : 1;
}

function placedWaitsFor(
  pod: KubernetesObject,
  rightSubnets: ReadonlySet<string>,
): string | undefined {
  const subnet = textPartOf(pod, 'metadata', 'annotations', SUBNET_ANNOTATION);
  if (
    textPartOf(pod, 'metadata', 'annotations', 'ovn.kubernetes.io/allocated') !== 'true' ||
    subnet === undefined
  )
    return 'get its address';
  if (!rightSubnets.has(subnet)) return undefined;
  const isReady = entriesOf(pod, 'status', 'conditions').some(
    (it) => textPartOf(it, 'type') === 'Ready' && textPartOf(it, 'status') === 'True',
  );
  return isReady ? undefined : 'be Ready';
}
