import type { Fact } from '@ovn-steward/shared/events/finding';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import { unclaimed } from '../rules/rule';
import type { Kind } from './entity';
import type { View } from './view';

/** What a rule that asks `controllerIsGone` reads. */
export const CONTROLLER_KINDS = ['Pod', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'] as const satisfies readonly Kind[];
export type ControllerKind = (typeof CONTROLLER_KINDS)[number];

const NAME = 'kube-ovn-controller';

/**
 * Whether Kube-OVN was taken away: nothing runs its controller, and nothing is to run it, as after a Helm uninstall (kube-ovn.md §7.4). One that
 * is scaled to nothing is not gone. One outside the cluster is not seen here: whoever acts on this looks at the Lease as well.
 */
export const controllerIsGone = (view: View<ControllerKind>): boolean => !view.has(kubeOvnControllers, NAME);

/** The facts of it. */
export const controllerGone: readonly Fact[] = [unclaimed('Deployment', 'metadata.labels[app]', NAME), unclaimed('Pod', 'metadata.labels[app]', NAME)];
