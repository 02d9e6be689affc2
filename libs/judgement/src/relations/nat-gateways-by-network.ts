import { blockText } from '../kube-ovn/cidr';
import { defineRelation } from '../world/relation';

/**
 * NAT gateways by the networks that their spec names as blocks, `<vpc> <cidr>` in one spelling, and
 * those whose spec names Subnets under `<vpc> subnets`: of two gateways of a Vpc with one such
 * network Kube-OVN writes one policy (kube-ovn.md §3.3; resolveInternalCIDRs,
 * pkg/controller/vpc_gateway_common.go, v1.17).
 */
export const natGatewaysByNetwork = defineRelation({
  id: 'nat-gateways-by-network',
  kinds: ['VpcNatGateway'],
  keys: ({ object: { spec } }) => [
    ...(spec?.internalCIDRs ?? []).map((it) => `${spec?.vpc ?? ''} ${blockText(it)}`),
    ...((spec?.internalSubnets ?? []).length > 0 ? [ofSubnets(spec?.vpc ?? '')] : []),
  ],
});

export const ofSubnets = (vpc: string): string => `${vpc} subnets`;
