import { isKubeOvnChassis } from '../kube-ovn/chassis';
import { defineRelation } from '../world/relation';

/**
 * Chassis that Kube-OVN never tagged, all under `any`: of others, of another zone, or of a node
 * that it has not seen yet.
 */
export const foreignChassis = defineRelation({
  id: 'foreign-chassis',
  kinds: ['Chassis'],
  keys: (chassis) => (isKubeOvnChassis(chassis) ? [] : ['any']),
});
