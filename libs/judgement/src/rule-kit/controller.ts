import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import type { Kind } from '../world/entity';
import type { View } from './view';
import { unclaimed } from './facts';

/**
 * What a rule that calls `controllerIsGone` consults. Any other workload that may run it has pods.
 */
export const CONTROLLER_KINDS = [
  'Pod',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
] as const satisfies readonly Kind[];
export type ControllerKind = (typeof CONTROLLER_KINDS)[number];

/**
 * Whether Kube-OVN was removed: nothing runs its controller, and nothing is to run it, as after a
 * Helm uninstall (kube-ovn.md §7.4). One that is scaled to nothing is not removed, nor is one of
 * which not all is known. One outside the cluster is not visible here: the executor of a proof that
 * rests on this (`restsOnControllerGone`) checks its Lease as well.
 */
export const controllerIsGone = (view: View<ControllerKind>): boolean =>
  !view.has(kubeOvnControllers, KUBE_OVN_CONTROLLER) &&
  CONTROLLER_KINDS.every((it) => view.knows(it));

/** The facts of it. */
export const controllerGone: readonly Fact[] = [
  unclaimed('Deployment', 'metadata.labels[app]', KUBE_OVN_CONTROLLER),
  unclaimed('Pod', 'metadata.labels[app]', KUBE_OVN_CONTROLLER),
];

/** Whether these facts hold only while no controller leads. */
export const restsOnControllerGone = (proof: readonly Fact[]): boolean =>
  proof.some((it) => it.fact === 'unclaimed' && it.value === KUBE_OVN_CONTROLLER);
