import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { claimsByVip } from '../relations/claims-by-vip';
import type { Entity } from '../world/entity';
import type { View } from './view';
import { portKey } from '../kube-ovn/vips';

type Claims = View<'Service' | 'SwitchLBRule' | 'RouterLBRule' | 'OvnEip'>;

const isIpv6 = (text: string): boolean => text.includes(':');

const sameAddress = (one: string, other: string): boolean => {
  const first = tryParseIp(one);
  const second = tryParseIp(other);
  return first && second ? formatIp(first) === formatIp(second) : true;
};

/**
 * Whether a RouterLBRule may request the vip. Its address is that of its OvnEip (kube-ovn.md §1),
 * so a rule whose OvnEip is known to have another address of that family requests something else.
 * An OvnEip that is missing, has no such address yet or cannot be known may be of any address.
 */
export const requestedByRouterRule = (
  vip: { readonly ip: string; readonly port: number },
  protocol: string,
  view: Claims,
): boolean =>
  view
    .related(claimsByVip, portKey(vip.port, protocol))
    .some((rule) => mayAnswer(rule as Entity<'RouterLBRule'>, vip.ip, view));

function mayAnswer(rule: Entity<'RouterLBRule'>, ip: string, view: Claims): boolean {
  const name = rule.object.spec?.ovnEip ?? '';
  const eip = view.knows('OvnEip') ? view.get('OvnEip', name) : undefined;
  if (eip === undefined) return true;
  const { spec, status } = eip.object;
  const addresses = [spec?.v4Ip, spec?.v6Ip, status?.v4Ip, status?.v6Ip].filter(
    (it): it is string => it !== undefined && it !== '' && isIpv6(it) === isIpv6(ip),
  );
  return addresses.length === 0 || addresses.some((it) => sameAddress(it, ip));
}
