import { blockText } from '../kube-ovn/cidr';
import { defineRelation } from '../world/relation';

/**
 * NAT gateways by the networks that their spec names as blocks, `<vpc> <cidr>` in one spelling: of
 * two gateways of a Vpc with one such network Kube-OVN writes one policy (kube-ovn.md §3.3).
 */
export const natGatewaysByNetwork = defineRelation({
  id: 'nat-gateways-by-network',
  kinds: ['VpcNatGateway'],
  keys: ({ object: { spec } }) =>
    (spec?.internalCIDRs ?? []).map((it) => `${spec?.vpc ?? ''} ${blockText(it)}`),
});
