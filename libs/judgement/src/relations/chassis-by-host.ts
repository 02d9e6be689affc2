import { isRemote } from '../kube-ovn/chassis';
import { defineRelation } from '../world/relation';

/**
 * Chassis of this zone by the host they say they are on, which Kube-OVN sets to the name of the
 * node (kube-ovn.md §3.5).
 */
export const chassisByHost = defineRelation({
  id: 'chassis-by-host',
  kinds: ['Chassis'],
  keys: (chassis) =>
    isRemote(chassis) || !chassis.object.hostname ? [] : [chassis.object.hostname],
});
