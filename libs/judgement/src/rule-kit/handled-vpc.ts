import { routersByName } from '../relations/routers-by-name';
import type { Entity } from '../world/entity';
import type { View } from './view';

/** Of somebody else's router, which Kube-OVN writes nothing to (kube-ovn.md §7.3). */
const EXTERNAL = 'ovn.kubernetes.io/vpc_external';

/**
 * The routers of that name of a Vpc that Kube-OVN has handled, with its spec (`standby`); none for
 * one that is being deleted, and for the mirror of somebody else's router.
 */
export function routersOf(
  { object: { metadata, status } }: Entity<'Vpc'>,
  view: View<'Logical_Router'>,
): readonly Entity<'Logical_Router'>[] {
  const isHandled =
    status?.standby === true &&
    (status.router ?? '') !== '' &&
    metadata.deletionTimestamp === undefined &&
    metadata.labels?.[EXTERNAL] !== 'true';
  return isHandled ? view.related(routersByName, status!.router!) : [];
}
