import type { Entity } from '../world/entity';

/**
 * Where Kube-OVN writes which subnets a namespace is given, and a user which one a pod should have.
 */
export const SUBNET_ANNOTATION = 'ovn.kubernetes.io/logical_switch';

/**
 * The names in such an annotation of a namespace: a comma list, which may name one twice
 * (kube-ovn.md §8.1).
 */
export const namesIn = (list: string | undefined): string[] =>
  (list ?? '').split(',').filter((it) => it !== '');

/** The subnets the namespace's pods get their addresses from. */
export const subnetsOfNamespace = (namespace: Entity<'Namespace'>): string[] =>
  namesIn(namespace.object.metadata.annotations?.[SUBNET_ANNOTATION]);
