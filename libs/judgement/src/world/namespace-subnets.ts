import type { Entity } from './entity';

/** Where Kube-OVN writes which subnets a namespace is given, and a user which one a pod should have. */
export const SUBNET_ANNOTATION = 'ovn.kubernetes.io/logical_switch';

/** The subnets the namespace's pods get their addresses from. */
export const subnetsOf = (namespace: Entity<'Namespace'>): string[] => (namespace.object.metadata.annotations?.[SUBNET_ANNOTATION] ?? '').split(',').filter((it) => it !== '');
