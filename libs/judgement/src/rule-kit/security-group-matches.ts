import { portGroupOfSecurityGroup } from '../ownership/grammar/names';
import type { Entity } from '../world/entity';
import { termsOf } from './policy-acls';

/** kube-ovn.md §1, SecurityGroupRule, as far as the match of its ACL is made of it. */
export interface SecurityGroupRule {
  readonly priority?: unknown;
  readonly ipVersion?: unknown;
  readonly protocol?: unknown;
  readonly remoteType?: unknown;
  readonly remoteAddress?: unknown;
  readonly remoteSecurityGroup?: unknown;
  readonly portRangeMin?: unknown;
  readonly portRangeMax?: unknown;
}

/** Whether the ACL is made of a rule of these terms. */
export const isMadeOf = (acl: Entity<'ACL'>, terms: readonly string[]): boolean => {
  const match = termsOf(acl);
  return terms.every((it) => match.includes(it));
};

/**
 * The terms in the match of the ACL that Kube-OVN makes of the rule, beside those of the group; the
 * same in v1.12 to v1.17 (`newSgRuleACL`). Undefined where they are not known.
 *
 * @param end which end of a connection the peer is: `src` of what comes in, `dst` of what goes out
 */
export function termsOfRule(
  rule: SecurityGroupRule,
  end: 'src' | 'dst',
): readonly string[] | undefined {
  const family = rule.ipVersion === 'ipv6' ? 'ip6' : 'ip4';
  const peer = peerOf(rule);
  const protocol = protocolTerms(rule, family);
  if (peer === undefined || protocol === undefined) return undefined;
  return [`${family}.${end} == ${peer}`, ...protocol];
}

function peerOf({ remoteType, remoteAddress, remoteSecurityGroup, ipVersion }: SecurityGroupRule) {
  if (remoteType === 'address')
    return typeof remoteAddress === 'string' ? remoteAddress : undefined;
  if (remoteType !== 'securityGroup' || typeof remoteSecurityGroup !== 'string') return undefined;
  const family = ipVersion === 'ipv6' ? 'v6' : 'v4';
  return `$${portGroupOfSecurityGroup(remoteSecurityGroup)}.associated.${family}`;
}

function protocolTerms(
  rule: SecurityGroupRule,
  family: 'ip4' | 'ip6',
): readonly string[] | undefined {
  const { protocol, portRangeMin, portRangeMax } = rule;
  if (protocol === 'all') return [];
  if (protocol === 'icmp') return [family === 'ip4' ? 'icmp4' : 'icmp6'];
  if (typeof portRangeMin !== 'number' || typeof portRangeMax !== 'number') return undefined;
  if (protocol !== 'tcp' && protocol !== 'udp') return undefined;
  return [`${portRangeMin} <= ${protocol}.dst <= ${portRangeMax}`];
}
