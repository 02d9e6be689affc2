import { defineRelation } from '../world/relation';

/**
 * Subnets by the VPC their spec names; without one they belong to the default VPC, which is never
 * deleted.
 */
export const subnetsByVpc = defineRelation({
  id: 'subnets-by-vpc',
  kinds: ['Subnet'],
  keys: ({ object: { spec } }) => (spec?.vpc ? [spec.vpc] : []),
});
