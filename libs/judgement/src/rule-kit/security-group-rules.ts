import type { Entity } from '../world/entity';

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
 * The priorities of rules of which no ACL of the direction is made, ascending. Kube-OVN makes one
 * ACL of each rule, whose priority is the highest one less that of the rule; which is the highest
 * is shown by those that are there. Nothing where nothing shows it, or both may be.
 */
export function prioritiesWithoutAcl(
  rules: readonly unknown[],
  acls: readonly Entity<'ACL'>[],
): readonly number[] {
  const wanted = rules.map((it) => (it as { readonly priority?: unknown }).priority);
  const priorities = [...new Set(wanted.filter((it): it is number => Number.isInteger(it)))];
  const there = new Set(acls.map(({ object }) => object.priority ?? 0));
  if (there.size === 0 || priorities.length === 0) return [];
  if ([...there].every((it) => OF_EVERY_GROUP.has(it))) return priorities.sort((a, b) => a - b);
  const highest = highestOf(priorities, there);
  if (highest === undefined) return [];
  return priorities.filter((it) => !there.has(highest - it)).sort((a, b) => a - b);
}

/**
 * What the priorities of ACLs are taken from, as those that are there show it; undefined where none
 * does, or either may be.
 */
export function highestOf(
  priorities: readonly number[],
  there: ReadonlySet<number>,
): number | undefined {
  const [highest, second] = HIGHEST.filter((top) => priorities.some((it) => there.has(top - it)));
  return second === undefined ? highest : undefined;
}
