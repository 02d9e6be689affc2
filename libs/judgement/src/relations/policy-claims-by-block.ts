import { blockText } from '../kube-ovn/cidr';
import { vpcOfSubnet } from '../kube-ovn/vpc-of';
import type { Entity } from '../world/entity';
import { defineRelation } from '../world/relation';

/**
 * Whom Kube-OVN writes router policies for, by the block in their match: Subnets by `<vpc> <cidr>`,
 * Nodes by `node <address>`, in one spelling.
 */
export const policyClaimsByBlock = defineRelation({
  id: 'policy-claims-by-block',
  kinds: ['Subnet', 'Node'],
  keys: (claim) => {
    if (claim.kind === 'Node')
      return ((claim as Entity<'Node'>).object.status?.addresses ?? []).map(
        (it) => `node ${blockText(it.address ?? '')}`,
      );
    const { spec } = (claim as Entity<'Subnet'>).object;
    return (spec?.cidrBlock ?? '')
      .split(',')
      .filter((it) => it !== '')
      .map((it) => `${vpcOfSubnet(spec)} ${blockText(it)}`);
  },
});
