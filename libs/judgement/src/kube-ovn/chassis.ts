import type { Entity } from '../world/entity';

/** Where Kube-OVN writes the name of a node's chassis (kube-ovn.md §1). */
export const CHASSIS = 'ovn.kubernetes.io/chassis';

/** The name of the chassis that Kube-OVN found on the node; empty where it found none yet. */
export const chassisOf = ({ object }: Pick<Entity<'Node'>, 'object'>): string =>
  object.metadata.annotations?.[CHASSIS] ?? '';

/**
 * Whether Kube-OVN tagged the chassis, as it does with that of each node (`UpdateChassisTag`,
 * kube-ovn.md §3.5).
 */
export const isKubeOvnChassis = ({ object }: Pick<Entity<'Chassis'>, 'object'>): boolean =>
  object.external_ids?.['vendor'] === 'kube-ovn';

/**
 * Whether the chassis is in another zone, and written here by OVN-IC (ovn-sb(5), Chassis,
 * `other_config:is-remote`).
 */
export const isRemote = ({ object }: Pick<Entity<'Chassis'>, 'object'>): boolean =>
  object.other_config?.['is-remote'] === 'true';
