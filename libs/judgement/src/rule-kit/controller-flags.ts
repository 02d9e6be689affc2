import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import { defaultNetworkPods } from '../relations/default-network-pods';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import type { Entity } from '../world/entity';
import type { ControllerKind } from './controller';
import type { View } from './view';
import { isBeingDeleted } from '../kube-ovn/deletion';

/** Whether the Deployment is that of Kube-OVN's controller. */
export const isController = (deployment: Entity<'Deployment'>): boolean =>
  kubeOvnControllers.keys(deployment).length > 0;

/**
 * The value of a flag of the controller's (the last one counts, a bare one is `true`); undefined
 * where it is not said.
 */
export function flagOf({ object }: Entity<'Deployment'>, name: string): string | undefined {
  const flag = (object.spec?.template?.spec?.flags ?? [])
    .filter((it) => it === `--${name}` || it.startsWith(`--${name}=`))
    .at(-1);
  return flag === undefined ? undefined : flag.slice(name.length + 3) || 'true';
}

/** Go's strconv.ParseBool; undefined for what it refuses. */
export function booleanOf(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (/^(?:1|t|T|TRUE|true|True)$/.test(text)) return true;
  return /^(?:0|f|F|FALSE|false|False)$/.test(text) ? false : undefined;
}

/**
 * The Deployments of Kube-OVN's controller that are not being deleted, as a rule one; none where it
 * was taken away, or runs outside of the cluster.
 */
export const controllers = (view: View<ControllerKind>): Entity<'Deployment'>[] =>
  view
    .related(kubeOvnControllers, KUBE_OVN_CONTROLLER)
    .filter((it): it is Entity<'Deployment'> => it.kind === 'Deployment')
    .filter((it) => !isBeingDeleted(it));

/**
 * Whether Kube-OVN makes groups and ACLs for NetworkPolicies: its controller is there and
 * `enable-np`, which is on unless said otherwise, is not off (kube-ovn.md §0.1).
 */
export const enforcesPolicies = (view: View<ControllerKind>): boolean =>
  controllers(view).length > 0 && !ignoresPolicies(view);

/** Whether the flags of the controller say to leave NetworkPolicies alone. */
export const ignoresPolicies = (view: View<ControllerKind>): boolean =>
  controllers(view).some((it) => booleanOf(flagOf(it, 'enable-np')) === false);

/**
 * Whether the flags of the controller say to leave load balancers alone; `enable-lb` is on unless said
 * otherwise (kube-ovn.md §0.1).
 */
export const ignoresServices = (view: View<ControllerKind>): boolean =>
  controllers(view).some((it) => booleanOf(flagOf(it, 'enable-lb')) === false);

/**
 * Whether Kube-OVN enforces AdminNetworkPolicies and their likes: its controller is there and
 * `enable-anp`, which is off unless said otherwise, is on (kube-ovn.md §0.1).
 */
export const enforcesAdminPolicies = (view: View<ControllerKind>): boolean => {
  const found = controllers(view);
  return found.length > 0 && found.every((it) => booleanOf(flagOf(it, 'enable-anp')) === true);
};

/**
 * Whether Kube-OVN connects pods by itself, and not only their attachments: it did so for some, and
 * no flag of its controller says otherwise.
 */
export const servesDefaultNetwork = (view: View<ControllerKind>): boolean =>
  view.has(defaultNetworkPods, 'any') &&
  !controllers(view).some((it) => booleanOf(flagOf(it, 'non-primary-cni-mode')) === true);
