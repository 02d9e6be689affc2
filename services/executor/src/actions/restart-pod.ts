import { describe } from '@ovn-steward/contracts/identity/reference';
import { apiVersionOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import { boundSubnets } from '@ovn-steward/judgement/readiness/subnet-waits-for';
import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import { findOwner, ownersOf } from '../action-kit/owner';
import { POD_REPLACED } from '../action-kit/pod-replaced';
import { isRefusal, readTarget, versionText } from '../action-kit/target-object';
import { networkWaitsFor } from '../restart/network-waits-for';
import { siblingsWaitFor } from '../restart/siblings-wait-for';
import { type Action, refusal } from '../action-kit/action';

/**
 * Those whose controllers recreate a pod. A machine's pod is not among them: its machine would stop
 * or move.
 */
const MAKES_PODS: ReadonlySet<string> = new Set(['ReplicaSet', 'StatefulSet', 'DaemonSet']);

/**
 * Evicts a pod, so that its controller recreates another, which gets its network (kube-ovn.md §8.3,
 * row 76). One at a time for each controller: the next waits until the one before was replaced,
 * addressed and Ready; and none while the subnet is not ready that the new one is to be in.
 */
const restartPod: Action = {
  id: 'restart-pod',
  on: 'kubernetes',
  kinds: ['Pod'],
  verb: 'evict',
  finishedBy: null,
  onlyApproved: true,
  rank: 15,
  does: 'Evicts the pod, respecting disruption budgets and one at a time for each controller, once its subnet is ready; its controller makes another, which gets an address of the right subnet.',
  undoing: `A${POD_REPLACED.slice(1)}. Data that it kept in itself is lost.`,
  restores: () => POD_REPLACED,

  async prepare(target, _comment, { kubernetes }, signal) {
    if (target.part !== undefined)
      return refusal(
        'unsupported',
        `restart-pod restarts whole pods, not ${target.part.key} of ${describe(target)}`,
      );
    const read = await readTarget(target, restartPod.kinds, kubernetes, signal);
    if (isRefusal(read)) return read;
    const { object, version } = read;
    const { deletionTimestamp, namespace, name, ownerReferences } = object.metadata;
    if (deletionTimestamp !== undefined)
      return refusal('gone', `${describe(target)} is being deleted (since ${deletionTimestamp})`);

    const controller = ownersOf(object.metadata).find((it) => it.controller);
    if (!controller || !MAKES_PODS.has(controller.kind))
      return refusal(
        'unsupported',
        `${describe(target)} has no controller that would recreate it: a person has to`,
      );
    const found = await findOwner(controller, object, kubernetes, signal);
    const made =
      found.is === 'there' &&
      found.object.metadata.deletionTimestamp === undefined &&
      wantsPods(found.object['spec']);
    if (!made)
      return refusal(
        'unsupported',
        `${controller.kind} ${controller.name}, which made ${describe(target)}, would not make another: it is gone, is going, or wants no pods`,
      );

    const waits =
      (await networkWaitsFor(namespace!, kubernetes, signal)) ??
      (await siblingsWaitFor(
        object,
        found.object,
        boundSubnets(await kubernetes.get('Namespace', undefined, namespace!, signal)),
        kubernetes,
        signal,
      ));
    if (waits !== undefined)
      return refusal('waits', `${describe(target)} is not restarted yet: first ${waits}`);

    // Nothing of the spec: it may hold secrets, and is never created from here.
    const manifest = {
      apiVersion: apiVersionOf(kubernetesKind('Pod')!),
      kind: 'Pod',
      metadata: { name, namespace, ownerReferences },
    };
    return {
      is: 'prepared',
      effect: { on: 'kubernetes', verb: 'evict', object: version },
      undo: { of: 'object', kind: 'Pod', manifest },
      version: versionText(version),
    };
  },
};
export default restartPod;

const wantsPods = (spec: unknown): boolean => !isRecord(spec) || spec['replicas'] !== 0;
