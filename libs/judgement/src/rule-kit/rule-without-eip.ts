import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { iptablesEipsByAddress } from '../relations/iptables-eips-by-address';
import type { Entity } from '../world/entity';
import { absent, present, unchanged, value } from './facts';
import { gatewayOf, type GatewayRuleKind } from './gateway-deletion';
import { healthy, type Verdict, violation } from './rule';
import type { View } from './view';

/**
 * A rule in a NAT gateway whose IptablesEIP does not exist.
 *
 * Before v1.15 the deletion of an IptablesEIP waits for no rule: the address is free again, and the
 * rule stays in the gateway's pod with it (`handleUpdateIptablesEip` in
 * pkg/controller/vpc_nat_gw_eip.go; seen beside v1.14.41). Nothing handles the rule until it is
 * changed, and then not without its IptablesEIP (`GetEip`). Without the gateway it does nothing.
 */
export function iptablesRuleWithoutEip(
  rule: Entity<GatewayRuleKind>,
  view: View<'IptablesEIP' | 'VpcNatGateway'>,
): Verdict {
  const { spec, status } = rule.object;
  const eip = spec?.eip ?? '';
  const address = tryParseIp(status?.v4ip ?? '');
  if (isBeingDeleted(rule) || eip === '' || !address) return healthy;
  const gateway = view.get('VpcNatGateway', gatewayOf(rule));
  if (!gateway || view.presence('IptablesEIP', eip) !== 'absent') return healthy;
  const has = formatIp(address);
  const others = view.related(iptablesEipsByAddress, has);
  const by = others.map(({ name }) => name).sort();
  return violation({
    summary: `${rule.kind} ${rule.name} has ${has} in NAT gateway ${gateway.name}, and IptablesEIP ${eip}, which it names, does not exist${by.length > 0 ? `: IptablesEIP ${by.join(' and ')} has that address` : ''}`,
    concerns: [gateway, ...others],
    proof: [
      absent('IptablesEIP', eip),
      present(gateway),
      value(rule, 'spec.eip', eip),
      value(rule, 'status.v4ip', status!.v4ip!),
      unchanged(rule),
    ],
  });
}
