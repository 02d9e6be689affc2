import { compareValues } from '@ovn-steward/shared/compare';
import { addTo, type Count, type Figures, overrunOf, overrunText } from './ceilings';
import type { Applicant, AdmissionDecision, Aborted } from './admission';

interface Plan<A> {
  readonly of: Aborted['plan'];
  readonly members: readonly A[];
}

/**
 * In the order in which they get what the ceilings leave: what people decided first, then what is
 * enforced. What may go beyond them counts before all.
 */
function plansOf<A extends Applicant>(applicants: readonly A[]): readonly Plan<A>[] {
  const plans = new Map<string, A[]>();
  const single: Plan<A>[] = [];
  const enforced: A[] = [];
  for (const applicant of applicants) {
    const { approval, finding } = applicant;
    if (approval === undefined) enforced.push(applicant);
    else if (approval.plan === null)
      single.push({ of: { of: 'approval', id: finding.id }, members: [applicant] });
    else
      (plans.get(approval.plan) ?? plans.set(approval.plan, []).get(approval.plan))?.push(
        applicant,
      );
  }
  const named = [...plans]
    .sort(([a], [b]) => compareValues(a, b))
    .map(([id, members]): Plan<A> => ({ of: { of: 'plan', id }, members }));
  return [
    ...named,
    ...single,
    ...(enforced.length > 0
      ? [{ of: { of: 'enforced', id: '' } as const, members: enforced }]
      : []),
  ];
}

export function heldByCeilings<A extends Applicant>(
  applicants: readonly A[],
  figures: Figures,
): { readonly aborted: readonly Aborted[]; readonly ceilings: ReadonlyMap<A, AdmissionDecision> } {
  const aborted: Aborted[] = [];
  const ceilings: Map<A, AdmissionDecision> = new Map();
  const before: Count = new Map();
  const free = applicants.filter((it) => it.approval?.overCeilings === true);
  addTo(
    before,
    free.map((it) => it.finding),
  );
  for (const { of: plan, members } of plansOf(
    applicants.filter((it) => it.approval?.overCeilings !== true),
  )) {
    const findings = members.map((it) => it.finding);
    const overrun = overrunOf(findings, before, figures);
    if (overrun === undefined) {
      addTo(before, findings);
      continue;
    }
    aborted.push({ ...overrun, plan, size: members.length });
    const decision: AdmissionDecision = {
      state: 'deferred',
      code: 'ceiling',
      reason: overrunText(overrun, members.length),
    };
    for (const member of members) ceilings.set(member, decision);
  }
  return { aborted, ceilings };
}
