import type { Entity } from '../world/entity';
import { termsOf } from './policy-acls';
import { highestOf } from './security-group-rules';

/** kube-ovn.md §1, SecurityGroupRule, as far as the match of its ACL is made of it. */
interface Rule {
  readonly priority?: unknown;
  readonly ipVersion?: unknown;
  readonly protocol?: unknown;
  readonly remoteType?: unknown;
  readonly remoteAddress?: unknown;
  readonly remoteSecurityGroup?: unknown;
  readonly portRangeMin?: unknown;
  readonly portRangeMax?: unknown;
}

/**
 * The rules that share a priority with others, and of which no ACL of this priority is made, as
 * `<priority> <terms of the match>`. The terms are the same in v1.12 to v1.17 (`newSgRuleACL`); a
 * rule of which they are not known is left out.
 *
 * @param end which end of a connection the peer is: `src` of what comes in, `dst` of what goes out
 */
export function sharedWithoutAcl(
  rules: readonly unknown[],
  acls: readonly Entity<'ACL'>[],
  end: 'src' | 'dst',
): readonly string[] {
  const ranked = (rules as readonly Rule[]).filter(({ priority }) => Number.isInteger(priority));
  const there = new Set(acls.map(({ object }) => object.priority ?? 0));
  const highest = highestOf(
    ranked.map(({ priority }) => priority as number),
    there,
  );
  if (highest === undefined) return [];
  const lost = ranked.flatMap((rule) => {
    const terms = termsOfRule(rule, end);
    const same = acls.filter(({ object }) => object.priority === highest - Number(rule.priority));
    if (!terms || same.length === 0 || same.some((it) => isMadeOf(it, terms))) return [];
    return [`${String(rule.priority)} ${terms.join(' && ')}`];
  });
  return lost.sort();
}

const isMadeOf = (acl: Entity<'ACL'>, terms: readonly string[]): boolean => {
  const match = termsOf(acl);
  return terms.every((it) => match.includes(it));
};

function termsOfRule(rule: Rule, end: 'src' | 'dst'): readonly string[] | undefined {
  const family = rule.ipVersion === 'ipv6' ? 'ip6' : 'ip4';
  const peer = peerOf(rule);
  const protocol = protocolTerms(rule, family);
  if (peer === undefined || protocol === undefined) return undefined;
  return [`${family}.${end} == ${peer}`, ...protocol];
}

function peerOf({ remoteType, remoteAddress, remoteSecurityGroup, ipVersion }: Rule) {
  if (remoteType === 'address')
    return typeof remoteAddress === 'string' ? remoteAddress : undefined;
  if (remoteType !== 'securityGroup' || typeof remoteSecurityGroup !== 'string') return undefined;
  const family = ipVersion === 'ipv6' ? 'v6' : 'v4';
  return `$${`ovn.sg.${remoteSecurityGroup}.associated.${family}`.replaceAll('-', '.')}`;
}

function protocolTerms(rule: Rule, family: 'ip4' | 'ip6'): readonly string[] | undefined {
  const { protocol, portRangeMin, portRangeMax } = rule;
  if (protocol === 'all') return [];
  if (protocol === 'icmp') return [family === 'ip4' ? 'icmp4' : 'icmp6'];
  if (typeof portRangeMin !== 'number' || typeof portRangeMax !== 'number') return undefined;
  if (protocol !== 'tcp' && protocol !== 'udp') return undefined;
  return [`${portRangeMin} <= ${protocol}.dst <= ${portRangeMax}`];
}
