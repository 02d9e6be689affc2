import { ascendingBy } from '@ovn-steward/shared/compare';
import { findingId } from '@ovn-steward/contracts/identity/ids';
import type { Rule, Violation } from '../rule-kit/rule';
import type { Entity } from '../world/entity';
import { referenceTo } from '../world/entity';
import { scopeOf } from '../kube-ovn/scope-of';
import type { Claim } from './lifecycle';
import { ownerOf } from './owner';

/**
 * What a rule's violation says, as a finding of the cluster; its history comes with the lifecycle.
 */
export function claimOf(cluster: string, rule: Rule, entity: Entity, violation: Violation): Claim {
  const subject = subjectOf(entity, violation);
  const scope = scopeOf(entity);
  return {
    id: findingId(cluster, rule.id, subject),
    cluster,
    rule: rule.id,
    class: rule.class,
    severity: rule.severity,
    subject,
    concerns: (violation.concerns ?? [])
      .map((one) => referenceTo(one))
      .sort(ascendingBy((it) => it.uid)),
    owner: violation.owner ?? ownerOf(entity),
    ...(scope ? { scope } : {}),
    ...(violation.cause ? { cause: violation.cause } : {}),
    summary: violation.summary,
    proof: [...violation.proof],
    remedy: violation.remedy ?? null,
    ...(violation.was ? { was: [...violation.was] } : {}),
  };
}

/** What is remembered of a row or an address record is said of that. */
function subjectOf(entity: Entity, { part }: Violation): Claim['subject'] {
  const subject = referenceTo(entity, part);
  if (entity.kind === 'Former_Address') return { ...subject, kind: 'IP' };
  return entity.kind === 'Former_Row'
    ? { ...subject, kind: String((entity.object as { table: unknown }).table) }
    : subject;
}
