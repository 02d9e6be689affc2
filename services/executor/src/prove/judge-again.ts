import { claimOf } from '@ovn-steward/judgement/engine/claim-of';
import { judgement, needsText } from '@ovn-steward/judgement/engine/judge';
import type { Claim } from '@ovn-steward/judgement/engine/lifecycle';
import type { Rule, Violation } from '@ovn-steward/judgement/rule-kit/rule';
import { type Entity, keyOf } from '@ovn-steward/judgement/world/entity';
import { scopeOf } from '@ovn-steward/judgement/kube-ovn/scope-of';
import { declaredKinds, kindsNotKnown } from '@ovn-steward/judgement/rule-kit/declared-kinds';
import { View } from '@ovn-steward/judgement/rule-kit/view';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { describe, objectKey, type Reference } from '@ovn-steward/contracts/identity/reference';
import type { QueryingWorld } from './querying-world';
import { claimDifference } from './difference';
import { type LiveScope, scopeIn } from './live-scope';

/** A finding that says what to do about it. */
export type Remediable = Finding & { readonly remedy: NonNullable<Finding['remedy']> };

/** The result of a run. It counts only when every query of the run had been answered. */
export type Judged =
  | {
      readonly is: 'proven';
      readonly claim: Claim;
      readonly subject: Entity;
      readonly scope: LiveScope;
      /** Other subnets in which the target lies, or what else the violation concerns. */
      readonly otherScopes: readonly LiveScope[];
    }
  | { readonly is: 'gone' }
  | { readonly is: 'untrue' | 'changed' | 'unknown' | 'mispaired'; readonly reason: string };

export interface Terms {
  readonly cluster: string;
  readonly isProtected: (entity: Entity) => boolean;
  /** Whether what the action does needs a person's approval whatever the mode. */
  readonly onlyApproved: boolean;
}

/**
 * Lets the finding's own rule judge its subject in that world, and holds what it says against the
 * finding.
 */
export function judgeAgain(
  finding: Remediable,
  rule: Rule,
  world: QueryingWorld,
  terms: Terms,
): Judged {
  const { needs, all } = declaredKinds(rule);
  const missing = kindsNotKnown(needs, world);
  const subject = entityOf(finding.subject, world);
  if (!subject) return { is: 'gone' };
  if (missing.length > 0) return { is: 'unknown', reason: `the rule ${needsText(missing)}` };

  const view = new View(world, all);
  const verdict = judgement(rule, subject, view);
  if (verdict.is === 'unknown') return { is: 'unknown', reason: verdict.reason };
  const found =
    verdict.is === 'healthy'
      ? []
      : verdict.violations.map((violation) => ({
          violation,
          claim: claimOf(terms.cluster, rule, subject, violation),
        }));
  const same = found.find(({ claim }) => claim.id === finding.id);
  if (!same)
    return { is: 'untrue', reason: `${describe(subject)} is as it should be, says the rule now` };
  const difference = claimDifference(finding, same.claim);
  if (difference !== undefined) return { is: 'changed', reason: difference };
  return (
    refused(finding.remedy.target, subject, same, world, view, terms) ?? {
      is: 'proven',
      claim: same.claim,
      subject,
      scope: scopeIn(world, subject),
      otherScopes: otherScopesOf(
        subject,
        [entityOf(finding.remedy.target, world) ?? subject, ...(same.violation.concerns ?? [])],
        world,
      ),
    }
  );
}

/**
 * An address record and the port of its name may say to lie in different subnets: who holds either
 * means both.
 */
function otherScopesOf(
  subject: Entity,
  touched: readonly Entity[],
  world: QueryingWorld,
): readonly LiveScope[] {
  const own = scopeOf(subject)?.subnet;
  const bySubnet = new Map<string, Entity>();
  for (const entity of touched) {
    const subnet = scopeOf(entity)?.subnet;
    if (subnet !== undefined && subnet !== own) bySubnet.set(subnet, entity);
  }
  return [...bySubnet.values()].map((it) => scopeIn(world, it));
}

/**
 * What keeps it though it is true: a mark or setting of a person's on anything it touches, or an
 * owner who is not Kube-OVN.
 */
function refused(
  at: Reference,
  subject: Entity,
  { violation, claim }: { violation: Violation; claim: Claim },
  world: QueryingWorld,
  view: View,
  terms: Terms,
): Judged | undefined {
  const target = entityOf(at, world);
  if (!target)
    return { is: 'unknown', reason: `${describe(at)}, which the remedy is about, is not there` };
  const kept = [subject, target, ...(violation.concerns ?? [])].find(terms.isProtected);
  if (kept)
    return {
      is: 'untrue',
      reason: `${describe(kept)} is protected by its mark or by the settings`,
    };
  const rows = [subject, target].filter((it) => it.source === 'ovn-nb');
  for (const row of new Set(rows)) {
    const { verdict, owner, evidence } = row === subject ? claim.owner : view.ownership(row);
    const fits =
      verdict === 'candidate' ||
      (verdict === 'detach-only' && at.part !== undefined) ||
      terms.onlyApproved;
    if (!fits)
      return {
        is: 'untrue',
        reason: `${describe(row)} may not be removed: its owner is ${owner} (${evidence[0] ?? 'no evidence'})`,
      };
  }
  return undefined;
}

/** The very incarnation the reference is about. */
function entityOf(at: Reference, world: QueryingWorld): Entity | undefined {
  if (at.source === 'ovn-nb') return world.entity(at.kind, at.uid);
  if (at.source !== 'kubernetes') return undefined;
  return world
    .byKey(at.kind, objectKey(at.namespace, at.name))
    .find((it) => it.uid === at.uid && keyOf(it) === objectKey(at.namespace, at.name));
}
