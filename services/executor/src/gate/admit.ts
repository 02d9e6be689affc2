import { compareValues } from '@ovn-steward/shared/compare';
import type { Applicant, GateContext, Admission } from './admission';
import { permissionMissing } from './permission';
import { heldByCeilings } from './ceilings-of-plans';
import { firstRefusal, holdDecision, keepingDecision, unfinishedDecision } from './refusals';

/**
 * Decides which applicants may be acted on now. Good until the next decision: each claim counts
 * into its `spent`, and what was not claimed by then applies again.
 *
 * The reasons, the first that applies: held; suppressed or protected; the rule's mode; no such
 * action; no approval; a freeze; no open window; yielding; no controller that would finish it; a
 * ceiling. What only a person can change comes before what passes by itself, so that nobody waits
 * for a window that will not help.
 *
 * Ceilings apply to plans as a whole: all that is enforced is one, each plan a person approved is
 * one, each finding approved by itself is one. A plan that would exceed a ceiling anywhere is not
 * carried out at all. What is held, frozen or yielded counts as if it were removed: a hold never
 * makes room for others.
 */
export function admit<A extends Applicant>(
  applicants: readonly A[],
  context: GateContext,
): Admission<A> {
  const ordered = inOrder(applicants);
  const missing = new Map(
    ordered.map((it) => [it, permissionMissing(it, context.settings.approvers)]),
  );
  const { aborted, ceilings } = heldByCeilings(
    ordered.filter((it) => missing.get(it) === undefined),
    { ...context, ceilings: context.settings.ceilings },
  );
  const refusal = firstRefusal(context);
  const go: A[] = [];
  const stay: Admission<A>['rejected'][number][] = [];
  for (const applicant of ordered) {
    const decision =
      holdDecision(applicant, context) ??
      keepingDecision(applicant, context) ??
      missing.get(applicant) ??
      refusal ??
      unfinishedDecision(applicant, context) ??
      ceilings.get(applicant);
    if (decision === undefined) go.push(applicant);
    else stay.push({ applicant, decision });
  }
  return { admitted: go, rejected: stay, aborted };
}

function inOrder<A extends Applicant>(applicants: readonly A[]): A[] {
  const keyed = applicants.map((applicant) => ({
    applicant,
    rank: applicant.action?.rank ?? Infinity,
    since: Date.parse(applicant.finding.confirmedAt ?? '') || Infinity,
    id: applicant.finding.id,
  }));
  return keyed
    .sort(
      (a, b) =>
        compareValues(a.rank, b.rank) ||
        compareValues(a.since, b.since) ||
        compareValues(a.id, b.id),
    )
    .map(({ applicant }) => applicant);
}
