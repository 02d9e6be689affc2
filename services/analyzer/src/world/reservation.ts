import type { Entity } from './entity';

/** Set to `true` on an IP object a user made to keep an address for a pod that need not exist yet (Kube-OVN). */
const IP_RESERVED = 'ovn.kubernetes.io/ip_reserved';

/** Whether the address is kept on purpose. */
export const isReserved = (ip: Entity<'IP'>): boolean => ip.object.metadata.labels?.[IP_RESERVED] === 'true';
