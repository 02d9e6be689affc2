import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import { holderOf } from '../kube-ovn/lease-holder';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import type { Entity } from '../world/entity';
import type { ControllerKind } from './controller';
import { controllers } from './controller-flags';
import type { View } from './view';

type Consulted = View<ControllerKind | 'Lease'>;

/** What shows whether the controller of this Deployment works. */
export interface Leading {
  readonly lease: Entity<'Lease'>;
  readonly holder: string;
  readonly replicas: number;
  /** Pods of it that run. */
  readonly running: number;
  readonly leads: boolean;
}

/**
 * Whether a pod of the Deployment runs and holds the Lease; undefined where there is no Lease. A
 * controller outside of the cluster holds the Lease while the Deployment is scaled to nothing.
 */
export function leadingOf(deployment: Entity<'Deployment'>, view: Consulted): Leading | undefined {
  const lease = view.get('Lease', `${deployment.namespace ?? ''}/${KUBE_OVN_CONTROLLER}`);
  if (!lease) return undefined;
  const holder = holderOf(lease);
  const replicas = deployment.object.spec?.replicas ?? 1;
  const running = view
    .related(kubeOvnControllers, KUBE_OVN_CONTROLLER)
    .filter((it) => it.kind === 'Pod' && it.namespace === deployment.namespace)
    .filter((it) => (it.object.status as { phase?: string } | undefined)?.phase === 'Running');
  const leads = holder !== '' && (replicas === 0 || running.length > 0);
  return { lease, holder, replicas, running: running.length, leads };
}

/** Whether a Deployment of Kube-OVN's controller is there of which nobody leads. */
export const controllerIsDown = (view: Consulted): boolean =>
  controllers(view).some((it) => leadingOf(it, view)?.leads === false);
