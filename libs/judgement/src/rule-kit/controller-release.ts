import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { type Release, releaseOf } from '../kube-ovn/release';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import type { Entity } from '../world/entity';
import type { ControllerKind } from './controller';
import type { View } from './view';

/** Which release of Kube-OVN runs, as far as the cluster says it. */
export const controllerRelease = (view: View<ControllerKind>): Release | undefined =>
  releaseOfRunning(view.related(kubeOvnControllers, KUBE_OVN_CONTROLLER));

/**
 * The same of what runs its controller; undefined where no Deployment says it, or several say
 * different ones.
 */
export function releaseOfRunning(running: readonly Entity[]): Release | undefined {
  const [first, ...others] = running
    .filter((it): it is Entity<'Deployment'> => it.kind === 'Deployment' && !isBeingDeleted(it))
    .map(releaseOf);
  return others.every((it) => String(it) === String(first)) ? first : undefined;
}
