import type { Entity } from '../world/entity';
import { isMadeOf, type SecurityGroupRule, termsOfRule } from './security-group-matches';

/**
 * What the priority of a rule is taken from, in releases up to v1.16 and in v1.17-dev
 * (`SecurityGroupHighestPriority`).
 */
const HIGHEST = [2300, 18_484] as const;

/**
 * The ACLs that every group has: those for members of the same group, and those for ARP, DHCP and
 * the like (`SecurityGroupAllowPriority`, `SecurityGroupBasePriority`).
 */
const OF_EVERY_GROUP: ReadonlySet<number> = new Set([2004, 2005]);

/**
 * The rules of which no ACL of the direction is made: `<priority>`, or `<priority> <terms of the
 * match>` where its priority has ACLs of others alone. Kube-OVN makes one ACL of each rule, whose
 * priority is the highest one less that of the rule; which is the highest is shown by those that
 * are there. Nothing where nothing shows it, or both may be.
 *
 * @param end as for `termsOfRule`
 */
export function rulesWithoutAcl(
  rules: readonly unknown[],
  acls: readonly Entity<'ACL'>[],
  end: 'src' | 'dst',
): readonly string[] {
  const ranked = (rules as readonly SecurityGroupRule[]).filter(isRanked);
  const there = new Set(acls.map(({ object }) => object.priority ?? 0));
  if (there.size === 0) return [];
  if ([...there].every((it) => OF_EVERY_GROUP.has(it)))
    return distinct(ranked.map(({ priority }) => String(priority)));
  const [highest, second] = HIGHEST.filter((top) =>
    ranked.some(({ priority }) => there.has(top - priority)),
  );
  if (highest === undefined || second !== undefined) return [];
  const lost = ranked.flatMap((rule) => {
    const same = acls.filter(({ object }) => object.priority === highest - rule.priority);
    if (same.length === 0) return [String(rule.priority)];
    const terms = termsOfRule(rule, end);
    if (!terms || same.some((it) => isMadeOf(it, terms))) return [];
    return [`${rule.priority} ${terms.join(' && ')}`];
  });
  return distinct(lost);
}

const isRanked = (
  rule: SecurityGroupRule,
): rule is SecurityGroupRule & { readonly priority: number } => Number.isInteger(rule.priority);

const distinct = (lines: readonly string[]): readonly string[] => [...new Set(lines)].sort();
