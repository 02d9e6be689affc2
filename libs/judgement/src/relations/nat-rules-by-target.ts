import { formatIp, ipsIn } from '@ovn-steward/shared/address';
import type { Entity, Kind } from '../world/entity';
import { defineRelation } from '../world/relation';

/**
 * Kinds whose objects send traffic to an address inside: through OVN, or through the iptables of a
 * NAT gateway, which serve whoever holds the address next and reserve it for none.
 */
export const TARGETING_KINDS = [
  'OvnFip',
  'OvnDnatRule',
  'IptablesFIPRule',
  'IptablesDnatRule',
  'SwitchLBRule',
  'RouterLBRule',
] as const satisfies readonly Kind[];

/**
 * NAT and balancing rules by where they lead: `name <ip or vip>` of those that name an address
 * record, `address <ip>` of the others and of listed endpoints.
 */
export const natRulesByTarget = defineRelation({
  id: 'nat-rules-by-target',
  kinds: TARGETING_KINDS,
  keys: (rule) => {
    switch (rule.kind) {
      case 'SwitchLBRule':
      case 'RouterLBRule':
        return addresses((rule as Entity<'SwitchLBRule'>).object.spec?.endpoints ?? []);
      case 'IptablesFIPRule':
      case 'IptablesDnatRule':
        return ofGateway(rule as Entity<'IptablesFIPRule'>);
      default:
        return ofNat(rule as Entity<'OvnFip'>);
    }
  },
});

/** What the iptables have is in the status until the rule is written again, which may be never. */
const ofGateway = ({ object: { spec, status } }: Entity<'IptablesFIPRule'>): string[] =>
  addresses([spec?.internalIp, status?.internalIp]);

/** What was translated is in the status: for one that names a record, that counts as well. */
function ofNat({ object: { spec, status } }: Entity<'OvnFip'>): string[] {
  const named = spec?.ipName ? [`name ${spec.ipName}`] : addresses([spec?.v4Ip, spec?.v6Ip]);
  return [...named, ...addresses([status?.v4Ip, status?.v6Ip])];
}

const addresses = (texts: readonly (string | undefined)[]): string[] =>
  ipsIn(texts).map((it) => `address ${formatIp(it)}`);
